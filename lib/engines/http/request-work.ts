/** The work of each request of a service: bounds by its route, turns and slots by its caller. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { Prefix } from "../../net/ip/prefix.ts";
import { callerNetwork } from "./caller.ts";
import { FairSlots } from "./fair-slots.ts";
import type { HttpEnv } from "./http-env.ts";
import { derivedWorkSlots } from "./limits.ts";
import { routeWork, workMsMax } from "./route-work.ts";
import { Work } from "./work.ts";

interface WorkSettings {
  /** Proxies trusted to set X-Forwarded-For. */
  readonly proxies: readonly Prefix[];
  readonly onRefusal: (code: string) => void;
}

/** Dispose each at the end of its request. */
export function requestWork({ proxies, onRefusal }: WorkSettings): (c: Context<HttpEnv>) => Work {
  const derivedSlots = new FairSlots(derivedWorkSlots);
  return (c) =>
    new Work(() => {
      const route = matchedRoutes(c).findLast(({ method }) => method !== "ALL");
      const kind = (route && routeWork(route.method, route.path)) ?? "small";
      return {
        caller: callerOf(c, proxies),
        signal: c.req.raw.signal,
        msMax: workMsMax[kind],
        slots: kind === "derived" ? derivedSlots : null,
        onRefusal,
      };
    });
}

/** The user; an operator; else the network that the request comes from. */
function callerOf(c: Context<HttpEnv>, proxies: readonly Prefix[]): string {
  return c.get("identity")?.userHash ?? c.get("operator") ?? callerNetwork(c, proxies) ?? "unknown";
}
