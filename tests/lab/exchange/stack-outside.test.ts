/**
 * The networks outside of `vantage stack --exchange`: what they see of a user's announcement, and what is left.
 *
 * @tier long: stack-exchange.test.ts has the same stack, this what others see of it
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { storyAlone } from "./alone.ts";

test.skipIf(process.getuid?.() !== 0)(
  "an announcement, its prepends and its end are seen by both upstreams, and nothing of the networks is left",
  async () => {
    const { welcome, ...seen } = await storyAlone(join(import.meta.dirname, "outside-story.ts"));
    expect(welcome).toContain("upstreams AS64496 (transit1), AS64497 (transit2)");
    expect(welcome).toContain("collector http://127.0.0.1:8096/");
    const plain = [
      [64_496, "64496 64500"],
      [64_497, "64497 64500"],
    ];
    expect(seen).toEqual({
      plain,
      fromInside: plain,
      prepended: plain.map(([asn, path]) => [asn, `${path} 64500 64500`]),
      // The first upstream prefers the shorter way through the other one.
      towards: [
        [64_496, "64496 64497 64500"],
        [64_497, "64497 64500"],
      ],
      around: [
        [64_496, "64496 64500"],
        [64_497, "64497 64496 64500"],
      ],
      kept: [],
      afterKill: plain,
      withdrawn: [],
      stored: [64_496, 64_497],
      exitCode: 0,
      left: [],
    });
  },
);
