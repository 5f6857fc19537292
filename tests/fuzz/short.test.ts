/** A short run of `npm run fuzz`: each parser of foreign bytes on damaged inputs, and on all that broke it before. */
import { describe, expect, test } from "bun:test";
import { inTier } from "../run/tier.ts";
import { attack } from "./attack.ts";
import { targets } from "./targets/all.ts";
import { attackModule } from "./targets/packets.ts";

const cases = inTier({ usual: 500, long: 2000 });
const moduleCases = inTier({ usual: 50_000, long: 1_000_000 });

describe("no damaged input breaks the parser of", () => {
  test.each(targets.map((target) => [target.name, target] as const))("%s", async (_name, target) => {
    const { failures, cases: done } = await attack(target, cases, 1);
    expect(failures).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(cases);
  });

  test("packets, in WebAssembly", () => {
    for (const kind of ["all", "dns", "shaped"] as const) {
      expect(attackModule(moduleCases / 2, 1, kind)).toBeGreaterThanOrEqual(moduleCases / 2);
    }
  });
});

test("every good input is a parser's own", () => {
  for (const { name, seeds } of targets) {
    expect({ name, seeds: seeds.length > 0 }).toEqual({ name, seeds: true });
  }
});
