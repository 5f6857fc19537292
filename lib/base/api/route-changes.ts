/** A collector's stream of route changes: `GET /api/routes/watch`, one event per change. */
import * as v from "valibot";
import { time } from "./fields.ts";
import { routeAnswer } from "./routes.ts";

const kinds = [
  "path",
  "live",
  "announce",
  "withdraw",
  "table-end",
  "peer-up",
  "peer-down",
  "gap",
  "missed",
  "resumed",
] as const;

const nullable = v.nullable;

/** A line of the stream; fields that an event does not have are null. */
export const routeChange = v.object({
  kind: v.pipe(
    v.picklist(kinds),
    v.description(
      "`path`: a current one at the start; `live`: changes follow; `gap`: nothing received from a router; " +
        "`missed`: changes that you did not get, then all paths are sent again; `resumed`: none were missed",
    ),
  ),
  at: v.pipe(nullable(time), v.description("By the router's clock, if it reports one")),
  heard_at: v.pipe(time, v.description("By the collector's clock")),
  router: nullable(v.string()),
  peer: nullable(v.string()),
  peer_asn: nullable(v.number()),
  table: nullable(v.picklist(["in", "in-post-policy", "out", "out-post-policy", "local"])),
  prefix: nullable(v.string()),
  path_id: nullable(v.number()),
  as_path: nullable(v.array(v.union([v.number(), v.array(v.number())]))),
  next_hop: nullable(v.string()),
  origin: nullable(v.string()),
  multi_exit_disc: nullable(v.number()),
  local_preference: nullable(v.number()),
  communities: nullable(routeAnswer.entries.communities),
  rpki: routeAnswer.entries.rpki,
  origin_validation: v.pipe(
    routeAnswer.entries.origin_validation,
    v.description("By the VRPs that the collector had when it sent this (RFC 6811); null: it had none"),
  ),
  is_synthetic: v.pipe(v.boolean(), v.description("No withdrawal was received: its session ended")),
  count: v.pipe(
    nullable(v.number()),
    v.description("Of `live`: current paths; of `missed`: changes, null = an unknown number"),
  ),
  detail: v.pipe(nullable(v.string()), v.description("Why there is a gap, why changes were missed")),
});

export type RouteChange = v.InferOutput<typeof routeChange>;

/** Null = the line has another form. */
export function readRouteChange(value: unknown): RouteChange | null {
  const parsed = v.safeParse(routeChange, value);
  return parsed.success ? parsed.output : null;
}
