/** Two measurements that sent the same probe: which of its answers is whose, and which nobody can tell. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { beforeAll as firstPlace, readReplyPage } from "../../../lib/answers/results/reply-page.ts";
import { catchmentView } from "../../../lib/answers/results/views/catchment.ts";
import { lossView } from "../../../lib/answers/results/views/loss.ts";
import { pathsView } from "../../../lib/answers/results/views/paths.ts";
import { answeredProbesView } from "../../../lib/answers/results/views/probes.ts";
import { type ReplyRow, repliesView } from "../../../lib/answers/results/views/replies.ts";
import type { Attribution, Sending } from "../../../lib/engines/store/clickhouse/attribution.ts";
import { rivalsMax } from "../../../lib/engines/store/clickhouse/limits.ts";
import { unattributedOf } from "../../../lib/engines/store/clickhouse/reply-source.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { longTest } from "../../run/long-test.ts";
import { type ProbeGiven, type ReplyGiven, StoreProcess } from "../client/store-with-paths.ts";
import { viewRows } from "./view-rows.ts";

const ours = "11111111-1111-4111-8111-111111111111";
const again = "33333333-3333-4333-8333-333333333333";
const source = "192.0.2.1";
const startMs = Date.now() - 600_000;
const flow = { destination: "203.0.113.9", srcPort: 24000, ttl: 5, source };
const probe: ProbeGiven = { ...flow, measurement: ours, agent: "west", index: 0, timeMs: startMs };
const unmarked: ReplyGiven = {
  ...flow,
  measurement: "",
  agent: "west",
  sender: "",
  from: "198.51.100.1",
  rttTenthMs: 500,
};

let process: StoreProcess;

beforeAll(async () => {
  process = await StoreProcess.start();
});

afterAll(() => process[Symbol.asyncDispose]());

/** Sent until `endMs` after the start; answers are taken for a minute more. */
function sending(id: string, endMs: number | null): Sending {
  return {
    id,
    endMs: endMs === null ? null : startMs + endMs,
    answersUntilMs: startMs + (endMs ?? 300_000) + 60_000,
  };
}

const attribution: Attribution = {
  fromMs: startMs - 60_000,
  untilMs: startMs + 300_000,
  sources: [address(source)],
  agents: [],
  own: sending(ours, 300_000),
  rivals: [],
  isCrowded: false,
};

describe("of two measurements that sent the same probe", () => {
  /** The second is submitted so long after the first; each has left half a second after it was submitted. */
  const resent = async (afterMs: number, replies: readonly ReplyGiven[]) => {
    await process.refill([probe, { ...probe, measurement: again, timeMs: startMs + afterMs }], replies);
    const [first, second] = [sending(ours, 500), sending(again, afterMs + 500)];
    const result = async (own: Sending, rival: Sending) => {
      const both = { measurementId: own.id, attribution: { ...attribution, own, rivals: [rival] } };
      const found = await viewRows<ReplyRow>(process.store, repliesView, both);
      const times = found.map((reply) => Date.parse(reply.time_received) - startMs);
      return { times: times.map(Math.round), ...(await unattributedOf(process.store, both)) };
    };
    return [await result(first, second), await result(second, first)];
  };
  const at = (ms: number, rttTenthMs = 500) => ({ ...unmarked, timeMs: startMs + ms, rttTenthMs });
  const none = { ambiguous: 0, early: 0 };

  test.each([2000, 4000, 60_000])("each has its own, %d ms apart", async (afterMs) => {
    const found = await resent(afterMs, [at(100), at(afterMs + 100)]);
    expect(found).toEqual([
      { times: [100], ...none },
      { times: [afterMs + 100], ...none },
    ]);
  });

  test("an answer that took long goes to the one whose probe had left by then", async () => {
    expect(await resent(4000, [at(4300, 40_000)])).toEqual([
      { times: [4300], ...none },
      { times: [], ...none },
    ]);
  });

  test("at once, an answer is ambiguous: nobody's, and counted for both", async () => {
    const both = { times: [], ambiguous: 2, early: 0 };
    expect(await resent(100, [at(150), at(200)])).toEqual([both, both]);
  });

  test("without RTT an answer may have been on its way for 7 s", async () => {
    const both = { times: [], ambiguous: 1, early: 0 };
    expect(await resent(4000, [at(4100, 65_535)])).toEqual([both, both]);
    expect((await resent(10_000, [at(10_100, 65_535)]))[1]).toEqual({ times: [10_100], ...none });
  });

  test("an answer that left before both, beyond what clocks may differ, is nobody's", async () => {
    const both = { times: [], ambiguous: 0, early: 1 };
    expect(await resent(100, [at(-1500, 5000)])).toEqual([both, both]);
    expect((await resent(60_000, [at(-400, 5000)]))[0]).toEqual({ times: [-400], ...none });
  });

  test("what fits neither any more is ambiguous while both wait for answers", async () => {
    const both = { times: [], ambiguous: 1, early: 0 };
    expect(await resent(2000, [at(20_000)])).toEqual([both, both]);
    expect((await resent(2000, [at(61_500)]))[1]).toEqual({ times: [61_500], ...none });
  });

  longTest("with as many others as are looked at, each view can be asked for", async () => {
    await process.refill([probe], [at(100)]);
    const rivals = Array.from({ length: rivalsMax }, () => sending(crypto.randomUUID(), null));
    const many = { measurementId: ours, attribution: { ...attribution, rivals } };
    const { store } = process;
    expect(await viewRows(store, repliesView, many)).toHaveLength(1);
    expect(await viewRows(store, lossView, many)).toMatchObject([{ answered: 1 }]);
    expect(await viewRows(store, catchmentView, many)).toMatchObject([{ replies: 1 }]);
    expect(await viewRows(store, pathsView, many)).toHaveLength(1);
    const page = { filter: many, source: "both", after: firstPlace, rows: 10 } as const;
    expect(await readReplyPage(store, page)).toHaveLength(1);
    expect(await viewRows(store, answeredProbesView, many)).toMatchObject([{ replies: 1 }]);
  });

  test("with more others than are looked at, all is ambiguous", async () => {
    await process.refill([probe], [at(100)]);
    const crowded = { measurementId: ours, attribution: { ...attribution, isCrowded: true } };
    expect(await viewRows<ReplyRow>(process.store, repliesView, crowded)).toEqual([]);
    expect(await unattributedOf(process.store, crowded)).toEqual({ ambiguous: 1, early: 0 });
  });
});
