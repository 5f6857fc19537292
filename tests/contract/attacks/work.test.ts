/**
 * What makes a gateway compute much: how much CPU time and memory it takes, and what is answered. How long others wait
 * is judged by `npm run attacks`.
 *
 * @tier long: bodies as large as allowed; tests/contract/attacks/sweep.test.ts sends some to every route
 */
import { describe, expect, test } from "bun:test";
import { grownMbMax } from "../../attacks/work/bounds.ts";
import { WatchedGateway } from "../../attacks/work/watched-gateway.ts";
import { isReached, workAttacks } from "../../attacks/work/work-attacks.ts";
import { inTier } from "../../run/tier.ts";

/** Derived work ends after 20 s; compression of a list and the database run in other threads. */
const derivedCpuSecMax = 90;

describe("derived work", () => {
  const tiers = inTier<readonly string[]>({ usual: ["usual"], long: ["usual", "long"] });
  const short = workAttacks.filter(({ played = "usual" }) => tiers.includes(played));
  test.each(short.map((one) => [one.attack, one] as const))("%s", async (_name, { ready, isOfResults }) => {
    await using own = await (isOfResults ? WatchedGateway.startWithStore() : WatchedGateway.start());
    const { answers, cpuSec, grownMb } = await own.during(await ready(own));
    expect({ cpuSec, isSlow: cpuSec > derivedCpuSecMax }).toEqual({ cpuSec, isSlow: false });
    expect({ grownMb, isLarge: grownMb > grownMbMax }).toEqual({ grownMb, isLarge: false });
    expect({ answers, isFailure: Object.keys(answers).some((answer) => /^5(?!03)/.test(answer)) }).toEqual({
      answers,
      isFailure: false,
    });
    expect({ answers, isReached: isReached(answers) }).toEqual({ answers, isReached: true });
  });
});
