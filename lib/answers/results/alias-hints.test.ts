/** Hints of aliases: what counters and labels look like that belong together, and what only looks so. */
import { expect, test } from "bun:test";
import { type AnswerSeries, aliasHints } from "./alias-hints.ts";

function series(address: string, ids: AnswerSeries["ids"], more: Partial<AnswerSeries> = {}): AnswerSeries {
  return { address, agent: "west", ttl: 3, replyTtl: 253, ids, labels: [], ...more };
}

/** Each third answer, from one of three addresses. */
function counter(first: number, from: number, perSec = 10): AnswerSeries["ids"] {
  return Array.from({ length: 12 }, (_, i) => {
    const at = from + 0.3 * i;
    return [at, Math.floor(first + perSec * at) % 65_536] as const;
  });
}

test("one counter behind three addresses, over its wrap too; another one stays apart", () => {
  const hints = aliasHints([
    series("192.0.2.1", counter(65_500, 0)),
    series("192.0.2.2", counter(65_500, 0.1)),
    series("192.0.2.3", counter(65_500, 0.2)),
    series("192.0.2.9", counter(900, 0.15)),
  ]);
  expect(hints).toEqual([
    { addresses: ["192.0.2.1", "192.0.2.2", "192.0.2.3"], rests_on: ["ip_id", "reply_ttl"] },
  ]);
});

test("no hint: another distance or agent, too few answers, ids by chance, one that stands still, no turns", () => {
  const [a, b] = [counter(100, 0), counter(100, 0.1)];
  const random = Array.from({ length: 12 }, (_, i) => [0.3 * i, (i * 40_503) % 65_536] as const);
  for (const other of [
    series("192.0.2.2", b, { replyTtl: 252 }),
    series("192.0.2.2", b, { replyTtl: null }),
    series("192.0.2.2", b, { agent: "east" }),
    series("192.0.2.2", b.slice(0, 4)),
    series("192.0.2.2", random),
    series(
      "192.0.2.2",
      b.map(([at]) => [at, 7] as const),
    ),
    series("192.0.2.2", counter(100, 100)),
  ]) {
    expect(aliasHints([series("192.0.2.1", a), other])).toEqual([]);
  }
  expect(aliasHints([series("192.0.2.1", a), series("192.0.2.2", b)])).toHaveLength(1);
});

test("two equal labels at one TTL and distance; one is not enough, and one that all have says nothing", () => {
  const labelled = (address: string, labels: number[], ttl = 3) => series(address, [], { labels, ttl });
  expect(aliasHints([labelled("192.0.2.1", [100, 101, 102]), labelled("192.0.2.2", [101, 102])])).toEqual([
    { addresses: ["192.0.2.1", "192.0.2.2"], rests_on: ["labels", "reply_ttl"] },
  ]);
  expect(aliasHints([labelled("192.0.2.1", [100]), labelled("192.0.2.2", [100])])).toEqual([]);
  expect(aliasHints([labelled("192.0.2.1", [1e5, 2e5]), labelled("192.0.2.2", [1e5, 2e5], 4)])).toEqual([]);
  const many = Array.from({ length: 10_000 }, (_, i) => labelled(`10.0.${i >> 8}.${i & 255}`, [100, 101]));
  expect(aliasHints(many)).toEqual([]);
});
