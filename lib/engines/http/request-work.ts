/** The work of each request of a service: bounds by its route, turns and slots by its caller. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { callerNetwork } from "./caller.ts";
import { FairSlots } from "./fair-slots.ts";
import type { HttpEnv } from "./http-env.ts";
import { derivedWorkSlots } from "./limits.ts";
import { routeWork, workBytesMax, workMsMax } from "./route-work.ts";
import { Work } from "./work.ts";
import { WorkRoom } from "./work-room.ts";

/** Dispose each at the end of its request. `onRefusal` gets the code of each refusal. */
export function requestWork(onRefusal: (code: string) => void): (c: Context<HttpEnv>) => Work {
  const derivedSlots = new FairSlots(derivedWorkSlots);
  const room = new WorkRoom();
  return (c) =>
    new Work(() => {
      const route = matchedRoutes(c).findLast(({ method }) => method !== "ALL");
      const kind = (route && routeWork(route.method, route.path)) ?? "small";
      return {
        caller: callerOf(c),
        signal: c.req.raw.signal,
        msMax: workMsMax[kind],
        bytesMax: workBytesMax[kind],
        room,
        slots: kind === "derived" ? derivedSlots : null,
        onRefusal,
      };
    });
}

/** The user; an operator; else the network that the request comes from. */
function callerOf(c: Context<HttpEnv>): string {
  return c.get("identity")?.userHash ?? c.get("operator") ?? callerNetwork(c) ?? "unknown";
}
