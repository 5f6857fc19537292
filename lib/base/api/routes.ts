/** A collector's API responses about routers' current routes. */
import * as v from "valibot";
import { time } from "./fields.ts";

const community = v.object({
  value: v.pipe(v.string(), v.description("`64500:1`, or `64500:1:2` of a large one")),
  meaning: v.pipe(v.nullable(v.string()), v.description("Null: the meaning is defined by its AS")),
});

const originValidation = v.object({
  state: v.picklist(["valid", "invalid", "not-found"]),
  cause: v.pipe(
    v.nullable(v.picklist(["origin", "length"])),
    v.description(
      "Of `invalid`: `length` = its origin may, but not so long a prefix; `origin` = other ASes may",
    ),
  ),
  vrps: v.pipe(
    v.array(v.object({ prefix: v.string(), max_length: v.number(), asn: v.number() })),
    v.description("Those that cover the prefix; the first 20"),
  ),
  vrps_count: v.pipe(v.number(), v.description("How many cover it")),
});

/** A path to a prefix from one peer of one router. */
export const routeAnswer = v.object({
  prefix: v.string(),
  router: v.string(),
  peer: v.pipe(v.nullable(v.string()), v.description("Null: the router's own table")),
  peer_asn: v.number(),
  table: v.picklist(["in", "in-post-policy", "out", "out-post-policy", "local"]),
  path_id: v.nullable(v.number()),
  verdict: v.pipe(
    v.nullable(v.picklist(["accepted", "rejected", "unknown"])),
    v.description("Of the router's policy; null in a table without a policy before it"),
  ),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why it was rejected, if a large community indicates it"),
  ),
  rpki: v.pipe(
    v.nullable(v.picklist(["valid", "not-found", "invalid"])),
    v.description("If the router reports it (RFC 8097)"),
  ),
  origin_validation: v.pipe(
    v.nullable(originValidation),
    v.description("By the VRPs that the collector has now (RFC 6811); null: it has none"),
  ),
  as_path: v.pipe(
    v.array(v.union([v.number(), v.array(v.number())])),
    v.description("The nearest AS first; a list is a set"),
  ),
  next_hop: v.nullable(v.string()),
  origin: v.nullable(v.string()),
  multi_exit_disc: v.nullable(v.number()),
  local_preference: v.nullable(v.number()),
  communities: v.array(community),
  changed_at: time,
  is_stale: v.pipe(
    v.boolean(),
    v.description("The session is down, or the route was not refreshed after a restart"),
  ),
});

export type RouteAnswer = v.InferOutput<typeof routeAnswer>;

export const routesAnswer = v.object({
  resource: v.string(),
  prefix: v.pipe(v.nullable(v.string()), v.description("The prefix found; null: none")),
  routes: v.array(routeAnswer),
  is_cut: v.pipe(v.boolean(), v.description("There are more than `limit`")),
  at: v.pipe(v.optional(v.nullable(time), null), v.description("The earlier time; null: now")),
  collector_was_away: v.pipe(
    v.optional(v.boolean(), false),
    v.description("It was not running then: routes are those before, with what its files have added since"),
  ),
});

export const routeSearchAnswer = v.object({
  routes: v.array(routeAnswer),
  next: v.pipe(
    v.nullable(v.number()),
    v.description("Pass it as `from` for the rest of the table; null: no more"),
  ),
});

export const rejectedAnswer = v.object({
  routes: v.array(routeAnswer),
  next: v.pipe(
    v.nullable(v.number()),
    v.description("Pass it as `from` for the rest of the table; null: no more"),
  ),
  routers_without_policy: v.pipe(
    v.array(v.string()),
    v.description(
      "Routers without a post-policy table or refusal list: rejections show only by their communities",
    ),
  ),
});

export type RouteSearchAnswer = v.InferOutput<typeof routeSearchAnswer>;
export type RejectedAnswer = v.InferOutput<typeof rejectedAnswer>;
