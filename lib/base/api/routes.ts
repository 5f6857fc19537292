/** What a collector answers about routes that routers have now. */
import * as v from "valibot";
import { time } from "./fields.ts";

const community = v.object({
  value: v.pipe(v.string(), v.description("`64500:1`, or `64500:1:2` of a large one")),
  meaning: v.pipe(v.nullable(v.string()), v.description("Null: it means what its AS says")),
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

/** A path of one peer of one router to a prefix. */
export const routeAnswer = v.object({
  prefix: v.string(),
  router: v.string(),
  peer: v.pipe(v.nullable(v.string()), v.description("Null: the router's own table")),
  peer_asn: v.number(),
  table: v.picklist(["in", "in-post-policy", "out", "out-post-policy", "local"]),
  path_id: v.nullable(v.number()),
  verdict: v.pipe(
    v.nullable(v.picklist(["accepted", "rejected", "unknown"])),
    v.description("Of the router's policy; null in a table that no policy is before"),
  ),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why it was rejected, where a large community says it"),
  ),
  rpki: v.pipe(
    v.nullable(v.picklist(["valid", "not-found", "invalid"])),
    v.description("Where the router says it (RFC 8097)"),
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
  is_stale: v.pipe(v.boolean(), v.description("The router is not heard, or has not said it again")),
});

export type RouteAnswer = v.InferOutput<typeof routeAnswer>;

export const routesAnswer = v.object({
  resource: v.string(),
  prefix: v.pipe(v.nullable(v.string()), v.description("What was found; null: nobody has it")),
  routes: v.array(routeAnswer),
  is_cut: v.pipe(v.boolean(), v.description("There are more than `limit`")),
});

export const rejectedAnswer = v.object({
  routes: v.array(routeAnswer),
  next: v.pipe(
    v.nullable(v.number()),
    v.description("Ask again with `from` for the rest of the table; null: there is none"),
  ),
  routers_without_policy: v.pipe(
    v.array(v.string()),
    v.description(
      "Routers that never say what is left after their policy, nor are asked: what they reject shows by its mark only",
    ),
  ),
});

export type RejectedAnswer = v.InferOutput<typeof rejectedAnswer>;
