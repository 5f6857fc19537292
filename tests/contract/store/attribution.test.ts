/** Replies that carry no measurement: whose they are, and whose they are not. Pages of replies. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  beforeAll as firstPlace,
  type PageQuery,
  readReplyPage,
} from "../../../lib/answers/results/reply-page.ts";
import { catchmentView } from "../../../lib/answers/results/views/catchment.ts";
import { lossView } from "../../../lib/answers/results/views/loss.ts";
import { pathsView } from "../../../lib/answers/results/views/paths.ts";
import { type ReplyRow, repliesView } from "../../../lib/answers/results/views/replies.ts";
import type { Attribution, Sending } from "../../../lib/engines/store/clickhouse/attribution.ts";
import type { ReplyFilter } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import {
  unattributedOf,
  withoutIdleAttribution,
} from "../../../lib/engines/store/clickhouse/reply-source.ts";
import { withStoredAttribution } from "../../../lib/engines/store/clickhouse/stored-attribution.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { inTier } from "../../run/tier.ts";
import { type ProbeGiven, type ReplyGiven, StoreProcess } from "../client/store-with-paths.ts";
import { viewRows } from "./view-rows.ts";

const ours = "11111111-1111-4111-8111-111111111111";
const theirs = "22222222-2222-4222-8222-222222222222";
const again = "33333333-3333-4333-8333-333333333333";
const anycast = "2001:db8:ffff:a::1";
const strangers = "2001:db8:ffff:b::1";
const startMs = Date.now() - 600_000;

const probe: ProbeGiven = {
  measurement: ours,
  agent: "west",
  destination: "2001:db8:1::1",
  srcPort: 24000,
  ttl: 5,
  index: 0,
  source: anycast,
  timeMs: startMs,
};
const unmarked: ReplyGiven = {
  measurement: "",
  agent: "east",
  sender: "",
  source: anycast,
  destination: "2001:db8:1::1",
  srcPort: 24000,
  ttl: 5,
  from: "2001:db8:99::1",
  rttTenthMs: 65535,
  timeMs: startMs + 1000,
};

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
  sources: [address(anycast)],
  agents: [],
  own: sending(ours, 300_000),
  rivals: [],
  isCrowded: false,
};

let process: StoreProcess;

beforeAll(async () => {
  process = await StoreProcess.start();
});

afterAll(() => process[Symbol.asyncDispose]());

/** Ports tell the replies of these tests apart. */
async function portsOf(filter: ReplyFilter): Promise<number[]> {
  const replies = await viewRows<ReplyRow>(process.store, repliesView, filter);
  return replies.map((reply) => reply.probe_src_port);
}

const filter: ReplyFilter = { measurementId: ours, attribution };

describe("a reply without a measurement", () => {
  test("belongs to the one whose probe it answers", async () => {
    await process.refill(
      [probe, { ...probe, srcPort: 24001, index: 1 }],
      [unmarked, { ...unmarked, measurement: ours, srcPort: 24001, sender: "west/1" }],
    );
    expect(await portsOf(filter)).toEqual([24000, 24001]);
    expect(await portsOf({ measurementId: ours })).toEqual([24001]);
    const [first] = await viewRows<ReplyRow>(process.store, repliesView, filter);
    expect(first?.measurement_id).toBe(ours);
  });

  test("is not ours with another source, destination, port, TTL or sender, before or long after, or with a measurement of its own", async () => {
    const changes: readonly Partial<ReplyGiven>[] = [
      { source: strangers },
      { destination: "2001:db8:1::2" },
      { srcPort: 24001 },
      { ttl: 6 },
      // A sender that was not asked.
      { sender: "north/0" },
      { timeMs: startMs - 60_000 },
      { timeMs: startMs + 400_000 },
      { measurement: theirs },
    ];
    const others = changes.map((change) => ({ ...unmarked, ...change }));
    await process.refill([probe], others);
    expect(await portsOf(filter)).toEqual([]);
    await process.refill([probe], [...others, unmarked]);
    expect(await portsOf(filter)).toEqual([24000]);
  });

  test("says who sent its probe where the sites share a key: then only that site's counts", async () => {
    await process.refill([probe], [{ ...unmarked, sender: "west/1" }]);
    expect(await portsOf(filter)).toEqual([24000]);
  });

  test("of an agent that chose its source goes by the agent", async () => {
    const { source: _, ...chosen } = probe;
    const own = { ...unmarked, agent: "west", source: "2001:db8:a::1" };
    await process.refill([chosen], [own, { ...own, agent: "east" }]);
    const byAgent = { ...attribution, sources: [], agents: ["west"] };
    expect(await portsOf({ measurementId: ours, attribution: byAgent })).toEqual([24000]);
  });

  test("names the agent that sent the probe, unless several sent the same", async () => {
    const senders = async () =>
      (await viewRows<ReplyRow>(process.store, repliesView, filter)).map((reply) => reply.probe_agent);
    await process.refill([probe], [unmarked]);
    expect(await senders()).toEqual(["west"]);
    expect(await portsOf({ ...filter, agent: "west" })).toEqual([24000]);
    expect(await portsOf({ ...filter, agent: "east" })).toEqual([24000]);
    expect(await portsOf({ ...filter, agent: "north" })).toEqual([]);
    await process.refill([probe, { ...probe, agent: "north" }], [unmarked]);
    expect(await senders()).toEqual([""]);
  });

  test("counts in loss, paths and catchment", async () => {
    await process.refill([probe, { ...probe, srcPort: 24001, index: 1 }], [unmarked]);
    const { store } = process;
    const [loss] = await viewRows(store, lossView, filter);
    expect(loss).toMatchObject({ submitted: 2 });
    expect(await viewRows(store, catchmentView, filter)).toMatchObject([{ heard_by: "east", replies: 1 }]);
    const paths = await viewRows<{ readonly probes: object }>(store, pathsView, filter);
    expect(paths.map(({ probes }) => probes)).toEqual([
      { submitted: 2, answered: 1, duplicates: 0, lost: 1 },
    ]);
  });

  test("is looked for only where there may be one", async () => {
    await process.refill([probe], [{ ...unmarked, source: strangers }]);
    expect(await withoutIdleAttribution(process.store, filter)).toEqual({ measurementId: ours });
    await process.refill([probe], [unmarked]);
    expect(await withoutIdleAttribution(process.store, filter)).toEqual(filter);
  });
});

describe("where only the store is known", () => {
  const asked = (measurementId: string) =>
    withStoredAttribution(process.store, { measurementId }, startMs + 300_000);
  const later = { ...probe, measurement: again, timeMs: startMs + 60_000 };

  test("what was submitted says whose a reply is", async () => {
    await process.refill([probe], [unmarked, { ...unmarked, source: strangers }]);
    expect(await portsOf(await asked(ours))).toEqual([24000]);
    expect(await asked(theirs)).toEqual({ measurementId: theirs });
  });

  test("of two that sent the same probe, the earlier has what left before the other was submitted", async () => {
    const other = { ...later, measurement: theirs, source: strangers };
    const known = { ...unmarked, rttTenthMs: 500 };
    await process.refill([probe, later, other], [known, { ...known, timeMs: startMs + 90_000 }]);
    expect((await asked(ours)).attribution?.rivals.map(({ id }) => id)).toEqual([again]);
    expect([await portsOf(await asked(ours)), await portsOf(await asked(again))]).toEqual([[24000], [24000]]);
  });

  test("as long as the earlier may still be leaving, an answer is ambiguous", async () => {
    const known = { ...unmarked, rttTenthMs: 500 };
    const soon = { ...later, timeMs: startMs + 4000 };
    await process.refill([probe, soon], [known, { ...known, timeMs: startMs + 4100 }]);
    expect([await portsOf(await asked(ours)), await portsOf(await asked(again))]).toEqual([[24000], []]);
    for (const id of [ours, again]) {
      expect(await unattributedOf(process.store, await asked(id))).toEqual({ ambiguous: 1, early: 0 });
    }
  });

  test("an agent that chose its source stands for it", async () => {
    const { source: _, ...chosen } = probe;
    await process.refill([chosen], [{ ...unmarked, agent: "west", source: "2001:db8:a::1" }]);
    expect(await portsOf(await asked(ours))).toEqual([24000]);
  });

  test("it is not looked for where it cannot exist", async () => {
    await process.refill([probe], [{ ...unmarked, measurement: ours }]);
    expect(await asked(ours)).toEqual({ measurementId: ours });
  });
});

describe("pages", () => {
  const count = 25;
  /** Five at each time, of capture and of insert alike. */
  const replies = Array.from({ length: count }, (_, i) => ({
    ...unmarked,
    ...(i % 2 === 0 ? { measurement: ours } : {}),
    srcPort: 24000 + i,
    timeMs: startMs + 1000 * Math.floor(i / 5),
  }));
  const probes = replies.map(({ srcPort }, index) => ({ ...probe, srcPort, index }));

  test.each<[PageQuery["source"], number]>([
    ["both", 25],
    ["marked", 13],
    ["attributed", 12],
  ])(
    "by time of insertion, source %s: each of the %d replies once, whatever a page holds",
    async (source, all) => {
      await process.refill(probes, replies);
      for (const rows of inTier({ usual: [9], long: [4, 100] })) {
        const seen: number[] = [];
        let after = firstPlace;
        for (;;) {
          const page = await readReplyPage(process.store, { filter, source, after, rows });
          seen.push(...page.map(({ row }) => row.probe_src_port));
          after = page.at(-1)?.place ?? after;
          if (page.length < rows) {
            break;
          }
        }
        expect(new Set(seen).size).toBe(all);
        expect(seen).toHaveLength(all);
      }
    },
  );

  test("go on behind what was stored since", async () => {
    await process.refill(probes, replies.slice(0, 5));
    const query = { filter, source: "both", rows: 100 } as const;
    const before = await readReplyPage(process.store, { ...query, after: firstPlace });
    await process.insertReplies(replies.slice(5, 10));
    const after = before.at(-1)?.place ?? firstPlace;
    expect(await readReplyPage(process.store, { ...query, after })).toHaveLength(5);
  });
});
