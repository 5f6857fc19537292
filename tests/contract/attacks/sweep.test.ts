/**
 * Every route of both gateways gets the nastiest requests that can be made for it, alone and eight at once: what it
 * answers, and how much CPU time and memory it takes. How long others wait is judged by `npm run attacks`.
 */
import { expect, test } from "bun:test";
import { grownMbMax } from "../../attacks/work/bounds.ts";
import { sweep, sweptGateways } from "../../attacks/work/sweep.ts";
import { inTier } from "../../run/tier.ts";

const eightAtEach = inTier({ usual: 12, long: 1 });

/** Seconds of CPU time of all threads for a request, on average: the largest list of targets takes some 2 s. */
const requestCpuSecMax = 2;

test.each(sweptGateways)("every route of the %s", async (name) => {
  const routes: string[] = [];
  const callers = new Set<string>();
  for await (const { method, route, caller, failures, requests, cpuSec, grownMb, answers } of sweep(name, {
    eightAtEach,
  })) {
    const where = `${method} ${route}: ${JSON.stringify(answers)}`;
    expect({ where, failures }).toEqual({ where, failures: [] });
    expect({ where, isSlow: cpuSec > requests * requestCpuSecMax }).toEqual({ where, isSlow: false });
    expect({ where, grownMb, isLarge: grownMb > grownMbMax }).toEqual({ where, grownMb, isLarge: false });
    routes.push(where);
    callers.add(caller);
  }
  expect(routes.length).toBeGreaterThan(30);
  expect(callers).toEqual(
    new Set(
      name === "probing-gateway"
        ? ["stranger", "user", "agent", "admin"]
        : ["stranger", "user", "admin", "service"],
    ),
  );
});
