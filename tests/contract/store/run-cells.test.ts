/** What detectors of campaigns read of a run: each probe counts once, however often it was answered. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { runCells } from "../../../lib/answers/results/run-cells.ts";
import { seriesRun } from "../../../lib/measuring/campaign/notice/series-run.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { fillStore, type RawReply, type RawRows } from "../results/raw-rows.ts";

const measurement = "11111111-1111-4111-8111-111111111111";
const target = "203.0.113.9";
let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

const flow = { destination: target, protocol: 17, srcPort: 24_000, dstPort: 33_434, ttl: 5 };
const startNs = BigInt(Date.now() - 3_600_000) * 1_000_000n;

/** Equal probes, a millisecond apart; `answersOf` gives how often each is answered. */
function rowsOf(count: number, answersOf: (probe: number) => number): RawRows {
  const probe = { ...flow, measurement, agent: "west", source: "192.0.2.1", timeMs: Date.now() - 3_700_000 };
  const replies = Array.from({ length: count }, (_, i) =>
    Array.from({ length: answersOf(i) }, (__, copy): RawReply => {
      const timeNs = startNs + BigInt(1_000_000 * i + 100_000 * (90 + copy) + i);
      return {
        ...{ ...flow, timeNs, measurement, agent: "west", sender: "west", instance: 0, source: "192.0.2.1" },
        ...{ from: target, replyProtocol: 1, icmpType: 3, icmpCode: 3, rttTenthMs: 90 + copy, labels: [] },
      };
    }),
  ).flat();
  return { probes: Array.from({ length: count }, (_, index) => ({ ...probe, index })), replies };
}

async function seriesOf(rows: RawRows) {
  await fillStore(store.store, rows);
  const cells = await runCells(store.store, [measurement], 10);
  expect(cells).toHaveLength(1);
  const hops = cells.map(({ answers, ...cell }) => ({
    ...cell,
    answers: answers.map(([router, rttMs]) => ({ router, rttMs, isTarget: router === target })),
  }));
  return seriesRun(hops, null);
}

test("a probe in two is lost, though the others are answered twice", async () => {
  const series = await seriesOf(rowsOf(20, (i) => 2 * (i % 2)));
  expect(series).toMatchObject({ sent: 20, lost: 10, rttsMs: Array.from({ length: 10 }, () => 9) });
});

test("of more probes than answers are read, none is lost that was answered", async () => {
  expect(await seriesOf(rowsOf(250, (i) => (i < 240 ? 1 : 0)))).toMatchObject({ sent: 250, lost: 10 });
});
