import { expect, test } from "bun:test";
import type { AgentProgress } from "./agent-watch.ts";
import { agentLines, publishingLine, readingLine } from "./progress.ts";

test("reading counts probes, and bad lines when there are some", () => {
  expect(readingLine({ probes: 12_345, bad: 0, bytes: 0 })).toBe("reading     12,345 probes");
  expect(readingLine({ probes: 1, bad: 1, bytes: 0 })).toBe("reading     1 probes, 1 bad line");
  expect(readingLine({ probes: 1, bad: 2, bytes: 0 })).toBe("reading     1 probes, 2 bad lines");
});

test("a bar is full only when all is done", () => {
  expect(publishingLine(0, 10)).toBe(`publishing  ${"░".repeat(24)}   0 %  0 of 10 probes`);
  expect(publishingLine(999, 1000)).toBe(`publishing  ${"█".repeat(23)}░  99 %  999 of 1,000 probes`);
  expect(publishingLine(10, 10)).toBe(`publishing  ${"█".repeat(24)} 100 %  10 of 10 probes`);
});

test("agents that are not done come first, each with its state in words", () => {
  const agents: AgentProgress[] = [
    { agent: "a", probes: 10, taken: 10, state: "finished" },
    { agent: "bb", probes: 10, taken: 5, state: "probing" },
    { agent: "c", probes: 10, taken: 0, state: "waiting" },
    { agent: "d", probes: 10, taken: 10, state: "settling" },
  ];
  expect(agentLines(agents).map((line) => line.replace(/ {2}[█░]+ +/, "|"))).toEqual([
    "bb|50 %  has taken 5 of 10 probes",
    "c |0 %  has taken nothing yet",
    "d |100 %  has taken all 10 probes; replies may still come",
    "a |100 %  has finished: 10 probes",
  ]);
});

test("of many agents some are shown", () => {
  const agents = Array.from({ length: 40 }, (_, i) => ({
    agent: `a${i}`,
    probes: 1,
    taken: 0,
    state: "waiting" as const,
  }));
  expect(agentLines(agents)).toHaveLength(17);
  expect(agentLines(agents).at(-1)).toBe("… and 24 more agents");
});
