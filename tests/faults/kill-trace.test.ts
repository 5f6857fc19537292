import { expect, test } from "bun:test";
import { traceKill } from "./kill-trace.ts";

/** Answers 0, 1, … a millisecond apart from 1,000 ms on; the agent ends at 1,010 ms. */
function trace(count: number, rows: readonly number[], handedOver: number, again: readonly number[] = []) {
  const indices = [...Array(count).keys(), ...again];
  const atMs = indices.map((_, i) => 1000 + 10 * i);
  const kill = { agentId: "east", endedAtMs: 1050, handedOver };
  return traceKill(kill, { indices, atMs }, Uint8Array.from(rows), 2);
}

test("what came last before the end was in the kernel's ring, what came next while no agent ran", () => {
  expect(trace(10, [1, 1, 1, 0, 0, 0, 0, 0, 1, 1], 3)).toEqual({
    ...{ arrived: 6, handedOver: 3, inKernel: 3, tailMs: 20, whileAway: 2 },
    ...{ askedAgain: 0, unexplained: 0 },
  });
});

test("a batch may be handed over and not counted; more than that has no cause", () => {
  expect([1, 2, 3].map((handedOver) => trace(8, [1, 1, 1, 0, 0, 0, 1, 1], handedOver).unexplained)).toEqual([
    0, 0, 0,
  ]);
  expect(trace(8, [1, 1, 1, 0, 0, 0, 1, 1], 0).unexplained).toBe(1);
});

test("an answer that was handed over and has no row has no cause, whatever is lost behind it", () => {
  // Files of the agent that were not published: by order they look like the ring.
  expect(trace(8, [1, 0, 0, 0, 0, 0, 1, 1], 4).unexplained).toBe(3);
  expect(trace(8, [1, 0, 1, 1, 1, 1, 1, 1], 6).unexplained).toBe(1);
  expect(trace(8, [1, 1, 1, 1, 1, 1, 1, 0], 6).unexplained).toBe(1);
});

test("of a probe that was sent again the first answer is the lost one", () => {
  expect(trace(7, [1, 1, 1, 1, 1, 1, 1], 5, [5])).toEqual({
    ...{ arrived: 6, handedOver: 5, inKernel: 0, tailMs: 0, whileAway: 0 },
    ...{ askedAgain: 1, unexplained: 0 },
  });
});
