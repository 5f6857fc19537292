/** What a collector hears of an experiment's prefix, by its HTTP; it asks for no login. */
import * as v from "valibot";
import type { RouteChange } from "../../../lib/api/route-changes.ts";
import { type RouteAnswer, routesAnswer } from "../../../lib/api/routes.ts";
import { formatAsPath } from "../../../lib/bgp/as-path.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { GatewayError } from "../../../lib/gateway-client/gateway-error.ts";
import { routeChanges } from "../../../lib/gateway-client/route-changes.ts";
import { nsOfTime } from "./ns-of-time.ts";
import type { HeardChange, HeardRoute, RoutePlane } from "./planes.ts";

const collectorClock = v.object({ time_ns: v.pipe(v.string(), v.regex(/^\d{1,19}$/)) });

export function routePlane(gateway: Gateway, prefix: string): RoutePlane {
  const anonymous = true;
  return {
    routes: async () => {
      const query = { resource: prefix };
      const { routes } = await gateway.read("/api/routes", routesAnswer, { query, anonymous });
      return routes.map(heardRoute);
    },
    follow: async (heard, signal) => {
      const order = { query: { prefix }, signal, onBreak: () => undefined };
      for await (const told of routeChanges(gateway, order)) {
        const change = heardChange(told);
        if (change !== null) {
          heard(change);
        }
      }
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

/** Null = not of a path. */
function heardChange(change: RouteChange | null): HeardChange | null {
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

function heardRoute(route: RouteAnswer): HeardRoute {
  const { verdict, reason, is_stale: isStale } = route;
  const since = `the router has it since ${new Date(route.changed_at).toISOString()}`;
  const words = [since, verdict, reason, isStale ? "stale" : null].filter((word) => word !== null);
  return {
    subject: subjectOf(route),
    text: `${formatAsPath(route.as_path)} (${words.join(", ")})`,
  };
}
