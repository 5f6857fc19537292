import { expect, test } from "bun:test";
import { pictureFile } from "../look.ts";
import { type HeatBin, heatDepth, heatPicture } from "./heat-picture.ts";
import { rttScale } from "./scales.ts";

function bin(second: number, more: Partial<HeatBin> = {}): HeatBin {
  return {
    time: `2026-01-31T12:00:0${second}.000Z`,
    ...{ width_ms: 1000, replies: 3, rtt_p5_ms: 1, rtt_median_ms: 1.1, rtt_p95_ms: 100 },
    buckets: [
      { rtt_from_ms: 1, rtt_to_ms: 1.2, replies: 2 },
      { rtt_from_ms: 100, rtt_to_ms: 112.3, replies: 1 },
    ],
    ...more,
  };
}

test("says in a sentence what it shows, in UTC", () => {
  expect(heatPicture([bin(0), bin(2, { rtt_median_ms: 2 })]).sentence).toBe(
    "6 answers in bins of 1 s, from 2026-01-31 12:00:00 to 2026-01-31 12:00:03 UTC: " +
      "median 1.1 ms at the start, 2 ms at the end.",
  );
  expect(heatPicture([]).sentence).toBe("No answer with a known round-trip time.");
});

test("each bin says its figures, and has a cell for each bucket", () => {
  const svg = pictureFile(heatPicture([bin(0)]));
  expect(svg).toContain(
    "<title>2026-01-31 12:00:00.000 UTC: 3 replies, 5th percentile 1 ms, median 1.1 ms, 95th percentile 100 ms</title>",
  );
  // From 1 ms to 200 ms, which is all that there is.
  expect(svg).toContain('<path class="heat-4" d="M64 317.7h1100v10.3H64z"/>');
  expect(svg).toContain('<path class="heat-0" d="M64 60.7h1100v6.6H64z"/>');
  expect(svg).toMatch(/<path class="line" d="M64 322.6H1164"\/>/);
});

test("lines break where there is no answer", () => {
  const svg = pictureFile(heatPicture([bin(0), bin(1), bin(3)]));
  expect(/<path class="line" d="([^"]*)"/.exec(svg)?.[1]?.replaceAll(/[^MLH]/g, "")).toBe("MHLHMH");
});

test("one answer can be seen beside a million", () => {
  expect([1, 100, 10_000, 1_000_000].map((count) => heatDepth(count, 1_000_000))).toEqual([0, 1, 3, 4]);
  expect(heatDepth(1, 1)).toBe(4);
});

test("the axis has round figures around what is there, so that a change of few ms is seen", () => {
  expect(rttScale([14.4, 21.5])).toEqual({ lowestMs: 10, highestMs: 50 });
  expect(rttScale([20])).toEqual({ lowestMs: 20, highestMs: 50 });
  expect(rttScale([0, 70_000])).toEqual({ lowestMs: 0.1, highestMs: 10_000 });
  expect(rttScale([10_000])).toEqual({ lowestMs: 5000, highestMs: 10_000 });
  expect(rttScale([])).toEqual({ lowestMs: 0.1, highestMs: 10_000 });
});
