/**
 * Files of ours that `vantage import` reads: our views say of the import what they say of the original. What foreign
 * readers find in the same files is in foreign-readers.test.ts.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ViewName } from "../../../lib/answers/results/views.ts";
import {
  numberOf,
  rttMsOf,
  type Trace,
  type TraceReply,
  upToEnd,
} from "../../../lib/measuring/formats/trace.ts";
import { inTier } from "../../run/tier.ts";
import { measurement, type Row, WrittenResults } from "./written-results.ts";

const runs = inTier({ usual: 1, long: 4 });

let results: WrittenResults;
beforeAll(async () => {
  results = await WrittenResults.start();
});
afterAll(() => results[Symbol.asyncDispose]());

type Form = "warts" | "atlas";

async function writtenAndRead(view: "traces" | "pings", form: Form): Promise<string> {
  return await results.imported(await results.written(view, form));
}

/** With the name that its agent has in a format, a number in Atlas. */
function named(row: Row, form: Form | null): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !withoutWorth.has(name))
      .map(([name, value]) => [
        name,
        name === "agent" && form === "atlas" ? `atlas-${numberOf(String(value))}` : value,
      ]),
  );
}

/** The id, and times, which Atlas has in seconds. */
const withoutWorth: ReadonlySet<string> = new Set([
  "measurement_id",
  "time_submitted",
  "first_seen",
  "last_seen",
]);

const shortReply = (reply: TraceReply) => {
  const { reply_quoted_ttl: _, reply_size: __, probe_size: ___, time_received: ____, ...known } = reply;
  const rttMs = rttMsOf(reply);
  // The file has microseconds alone.
  const rtt = { rtt_us: rttMs === null ? null : Math.round(1000 * rttMs) };
  return JSON.stringify(
    Object.entries({ ...known, ...rtt })
      .filter(([name]) => !["agent_id", "reply_id"].includes(name))
      .sort(),
  );
};

/**
 * Flows to their ends, all rounds together, as Atlas does not say in which order answers came; with the answers in any
 * order.
 */
async function flowsOf(id: string, form: Form | null) {
  const traces = (await results.rows<Trace>("traces", id)).map(upToEnd);
  const nameOf = ({ agent, address, protocol, src_port: from, dst_port: to }: Trace) =>
    [agent, address, protocol, from, to].join(" ");
  return inOrder(
    [...Map.groupBy(traces, nameOf).values()].map((rounds) => {
      const { replies: _, probes: __, round: ___, ...first } = rounds[0] ?? noTrace();
      const counts = Map.groupBy(
        rounds.flatMap(({ probes }) => probes),
        ({ ttl }) => ttl,
      );
      const own = { ...first, sent: null, answers: null };
      return {
        ...named(own, form),
        probes: [...counts].map(([ttl, some]) => [ttl, some.reduce((all, { sent }) => all + sent, 0)]),
        replies: rounds.flatMap(({ replies }) => replies.map(shortReply)).sort(),
      };
    }),
  );
}

function noTrace(): never {
  throw new Error("A flow has a round");
}

async function viewRows(view: ViewName, id: string, form: Form | null, names: readonly string[] | null) {
  const rows = await results.rows(view, id);
  return inOrder(
    rows.map((row) => {
      const own = named(row, form);
      return names === null ? own : Object.fromEntries(names.map((name) => [name, own[name]]));
    }),
  );
}

/** Agents of Atlas are in another order. */
function inOrder<Of>(rows: readonly Of[]): Of[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const seeds = Array.from({ length: runs }, (_, i) => i + 1);
const cases = (["warts", "atlas"] as const).flatMap((form) => seeds.map((seed) => [form, seed] as const));

test.each(cases)(
  "%s of stored traces, %i: views of the import are those of the original",
  async (form, seed) => {
    // What was sent beyond the ends of flows is another story; in the usual tier of one format.
    for (const isBeyond of inTier({ usual: [form === "atlas"], long: [false, true] })) {
      await results.fill(seed, isBeyond);
      const id = await writtenAndRead("traces", form);
      expect(await flowsOf(id, null)).toEqual(await flowsOf(measurement, form));
      // What was sent beyond the ends of flows is not in the file, and so not in these.
      const whole = isBeyond ? [] : (["loss", "links", "nodes"] as const);
      for (const view of whole) {
        expect([view, await viewRows(view, id, null, null)]).toEqual([
          view,
          await viewRows(view, measurement, form, null),
        ]);
      }
      const names = ["agent", "target", "protocol", "reached", "hops", ...(isBeyond ? [] : ["probes"])];
      expect(await viewRows("paths", id, null, names)).toEqual(
        await viewRows("paths", measurement, form, names),
      );
    }
  },
);

test.each(cases)("%s of stored pings, %i: the import has the pings of the original", async (form, seed) => {
  await results.fill(seed, false);
  const id = await writtenAndRead("pings", form);
  // Atlas has the destination's answers alone.
  const names = ["agent", "address", "protocol", "src_port", "dst_port", "round", "probe_src_addr"];
  const figures = ["sent", "answered", "duplicates"];
  const original = await viewRows("pings", measurement, form, [...names, ...figures]);
  expect(original.length).toBeGreaterThan(0);
  expect(await viewRows("pings", id, null, [...names, ...figures])).toEqual(original);
});

test.each(seeds)(
  "warts of stored multipaths, %i: each is imported, with the ends of its flows",
  async (seed) => {
    await results.fill(seed, true);
    // What nothing answered, too: a result of 1970 would be passed over, with a complaint.
    const id = await results.imported(await results.written("multipaths", "warts"));
    const ended = async (of: string) =>
      inOrder(
        (await results.rows<Trace>("traces", of))
          .filter(({ end_ttl: end, round }) => typeof end === "number" && round === 0)
          .map(({ agent, address, protocol, end_ttl }) => [agent, address, protocol, end_ttl]),
      );
    expect(await ended(id)).toEqual(await ended(measurement));
    const targets = async (of: string) =>
      new Set((await results.rows("multipaths", of)).map(({ agent, address }) => `${agent} ${address}`));
    expect(await targets(id)).toEqual(await targets(measurement));
  },
);
