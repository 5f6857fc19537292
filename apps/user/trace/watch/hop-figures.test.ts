import { expect, test } from "bun:test";
import { Path } from "../../../../lib/measuring/paths/path.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { WatchedPath } from "./hop-figures.ts";

/** One cycle: the RTT of each flow at the first hop, null for a probe that is lost. */
function cycle(rttsMs: readonly (number | null)[]): Path {
  const path = new Path(address("192.0.2.9"), rttsMs.length);
  for (const [flow, rttMs] of rttsMs.entries()) {
    path.markSent(flow, 1, { atMs: 0, source: null });
    const answer = { from: address("192.0.2.1"), labels: [], kind: { kind: "ttl_exceeded" } } as const;
    path.record(flow, 1, rttMs === null ? "lost" : { ...answer, rttMs });
  }
  return path;
}

function watched(cycles: readonly (readonly (number | null)[])[]) {
  const path = new WatchedPath();
  for (const rtts of cycles) {
    path.add(cycle(rtts), 1);
  }
  return path.hops(null).at(0);
}

test("large and even round-trip times keep their deviation, over flows too", () => {
  const around = (offset: number) => 4_000_000 + offset * 1e-4;
  const offsets = [0, 1, 2, 3, 5, 8, 13, 21];
  const mean = offsets.reduce((sum, one) => sum + one, 0) / offsets.length;
  const deviation =
    Math.sqrt(offsets.reduce((sum, one) => sum + (one - mean) ** 2, 0) / offsets.length) * 1e-4;
  const oneFlow = watched(offsets.map((offset) => [around(offset)]));
  const twoFlows = watched([0, 2, 4, 6].map((i) => [around(offsets[i] ?? 0), around(offsets[i + 1] ?? 0)]));
  for (const figures of [oneFlow, twoFlows]) {
    expect(figures?.deviationMs).toBeCloseTo(deviation, 8);
    expect(figures?.meanMs).toBeCloseTo(around(mean), 6);
  }
});

test("the last round-trip time is that of the last cycle which had an answer, whichever flow it came by", () => {
  expect(
    watched([
      [1, 2],
      [3, null],
    ])?.lastMs,
  ).toBe(3);
  expect(
    watched([
      [1, 2],
      [null, 4],
    ])?.lastMs,
  ).toBe(4);
});
