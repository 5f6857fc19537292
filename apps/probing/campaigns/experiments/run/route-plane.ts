/** Routes to an experiment's prefix from a collector: by HTTP, without a login. */
import * as v from "valibot";
import { time } from "../../../../../lib/base/api/fields.ts";
import type { RouteChange } from "../../../../../lib/base/api/route-changes.ts";
import { type RouteAnswer, routesAnswer } from "../../../../../lib/base/api/routes.ts";
import type { Gateway } from "../../../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../../../lib/engines/gateway-client/gateway-error.ts";
import { routeChanges } from "../../../../../lib/engines/gateway-client/route-changes.ts";
import { formatAsPath } from "../../../../../lib/net/bgp/as-path.ts";
import { nsOfTime } from "./ns-of-time.ts";
import type { ReceivedChange, ReceivedRoute, RoutePlane } from "./planes.ts";

const collectorClock = v.object({ time_ns: v.pipe(v.string(), v.regex(/^\d{1,19}$/)) });
/** Older collectors do not report gaps. */
const collectorStatus = v.object({
  gaps: v.optional(
    v.array(
      v.object({ router: v.nullable(v.string()), from: time, to: v.nullable(time), reason: v.string() }),
    ),
    [],
  ),
});
/** After these there may be gaps, including those of the watch itself. */
const aboutGaps: ReadonlySet<string | undefined> = new Set(["gap", "live", "missed", "resumed"]);

export function routePlane(gateway: Gateway, prefix: string): RoutePlane {
  const anonymous = true;
  return {
    routes: async () => {
      const query = { resource: prefix };
      const { routes } = await gateway.read("/api/routes", routesAnswer, { query, anonymous });
      return routes.map(receivedRoute);
    },
    pathsTo: async (resource) => {
      const { routes } = await gateway.read("/api/routes", routesAnswer, { query: { resource }, anonymous });
      // A set is an aggregate of routes, whose networks have no order.
      return routes
        .map(({ as_path: path }) => path.filter((asn) => typeof asn === "number"))
        .filter((path) => path.length > 0);
    },
    follow: async (received, signal) => {
      const order = { query: { prefix }, signal, onBreak: () => received(null) };
      for await (const event of routeChanges(gateway, order)) {
        const change = receivedChange(event);
        if (change !== null || aboutGaps.has(event?.kind)) {
          received(change);
        }
      }
    },
    gaps: async () => {
      const { gaps } = await gateway.read("/status", collectorStatus, { anonymous });
      return gaps.map(({ router, from, to, reason }) => ({
        ...{ router, fromNs: nsOfTime(from), toNs: to === null ? null : nsOfTime(to), reason },
      }));
    },
    clockNs: async () => {
      try {
        return BigInt((await gateway.read("/clock", collectorClock, { anonymous })).time_ns);
      } catch (error) {
        if (error instanceof GatewayError && error.status === 404) {
          return null;
        }
        throw error;
      }
    },
  };
}

/** Null = not about a path. */
function receivedChange(change: RouteChange | null): ReceivedChange | null {
  const { kind, prefix, router, table, heard_at: at } = change ?? {};
  const isThere = kind === "announce";
  if (change === null || (!isThere && kind !== "withdraw") || !prefix || !router || !table || !at) {
    return null;
  }
  return { subject: subjectOf({ ...change, prefix, router, table }), isThere, timeNs: nsOfTime(at) };
}

function subjectOf(path: Pick<RouteAnswer, "prefix" | "router" | "peer" | "table" | "path_id">): string {
  const { prefix, router, peer, table, path_id: id } = path;
  return [
    ...[prefix, router],
    ...(peer === null ? [] : [peer]),
    ...[table, ...(id === null ? [] : [`path ${id}`])],
  ].join(" ");
}

function receivedRoute(route: RouteAnswer): ReceivedRoute {
  const { verdict, reason, is_stale: isStale } = route;
  const changedAt = new Date(route.changed_at);
  const since = `the router has it since ${changedAt.toISOString()}`;
  const words = [since, verdict, reason].filter((word) => word !== null);
  return {
    ...{ subject: subjectOf(route), text: `${formatAsPath(route.as_path)} (${words.join(", ")})` },
    changedNs: BigInt(changedAt.getTime()) * 1_000_000n,
    ...{ isStale, isVague: isStale || verdict === "unknown" },
  };
}
