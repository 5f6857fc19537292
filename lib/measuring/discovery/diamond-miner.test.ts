import { expect, test } from "bun:test";
import { diamondMinerFlows } from "./diamond-miner.ts";
import { FlowPaths } from "./flow-paths.ts";

/** The topology of the library's own tests: 1-{2,3}-{4,5,7}-6. */
function pathOf(flow: number): readonly number[] {
  if (flow <= 3 || (flow >= 6 && flow <= 8)) {
    return [1, 2, 4, 6];
  }
  return flow === 4 || flow === 5 || flow === 9 ? [1, 3, 5, 6] : [1, 3, 7, 6];
}

function flowsFor(replies: readonly { flow: number; ttl: number; node: number }[], isAdaptive: boolean) {
  const paths = new FlowPaths(replies.map((reply) => ({ subnet: 0, ...reply })));
  return diamondMinerFlows(paths.of(0), 0.05, isAdaptive);
}

function rounds(isAdaptive: boolean, count: number): number[][] {
  let sent: ReadonlyMap<number, number> = new Map([1, 2, 3, 4].map((ttl) => [ttl, 6]));
  return Array.from({ length: count }, () => {
    const replies = [...sent].flatMap(([ttl, flows]) =>
      Array.from({ length: flows }, (_, flow) => ({ flow, ttl, node: pathOf(flow)[ttl - 1] ?? 0 })),
    );
    sent = flowsFor(replies, isAdaptive);
    return [...sent.values()];
  });
}

test("the rounds of the library's own test", () => {
  expect(rounds(false, 3)).toEqual([
    [11, 11, 11, 11],
    [11, 16, 16, 16],
    [11, 16, 16, 16],
  ]);
  expect(rounds(true, 1)).toEqual([[12, 12, 12, 12]]);
});

test("a lone reply, and a flow that is silent in between, make no link", () => {
  const replies = [
    { flow: 0, ttl: 1, node: 1 },
    { flow: 1, ttl: 1, node: 1 },
    { flow: 1, ttl: 3, node: 3 },
  ];
  expect(flowsFor(replies, false).size).toBe(0);
});
