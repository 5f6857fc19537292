/** What goes into the store comes out of it: every column, through the blocks, the views and the queries. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type * as v from "valibot";
import { followReplies } from "../../../lib/answers/results/follow-replies.ts";
import type { pathSchema } from "../../../lib/answers/results/path-json.ts";
import { readReplyRow, type StoredReply } from "../../../lib/answers/results/stored-reply.ts";
import { catchmentView } from "../../../lib/answers/results/views/catchment.ts";
import { lossView } from "../../../lib/answers/results/views/loss.ts";
import { pathsView } from "../../../lib/answers/results/views/paths.ts";
import { repliesView } from "../../../lib/answers/results/views/replies.ts";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import { ProbeBlock } from "../../../lib/engines/store/clickhouse/probe-block.ts";
import { ReplyBlock, replyBlockTable } from "../../../lib/engines/store/clickhouse/reply-block.ts";
import type { ReplyFilter } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { Reply } from "../../../lib/net/packet/reply.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { encodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { TestStore } from "./processes.ts";
import { manySorts, measurement, nowMs, sampleProbe, sampleReply } from "./samples.ts";
import { viewRows } from "./view-rows.ts";

let store: TestStore;

beforeAll(async () => {
  store = await TestStore.start();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const headers = { measurement_id: measurement, probe_agent: "agent-2", probe_instance: "7" };

async function insertReplies(
  replies: readonly Reply[],
  given: Record<string, string> = headers,
): Promise<void> {
  const block = new ReplyBlock();
  for (const reply of replies) {
    expect(block.add({ value: encodeReply(reply), headers: given, partition: 0 }, nowMs)).toEqual([]);
  }
  await insertBlock(store.store, {
    table: replyBlockTable,
    block: block.toBytes(),
    token: crypto.randomUUID(),
  });
}

async function replies(filter: ReplyFilter, limit?: number): Promise<StoredReply[]> {
  const rows = await viewRows(store.store, repliesView, filter, limit ?? null);
  return rows.map(readReplyRow).filter((stored) => stored !== null);
}

test("every column of a reply comes back: IPv4, IPv6, labels, unknown RTT, odd ids, the headers", async () => {
  await insertReplies(manySorts);
  const stored = await replies({ measurementId: measurement });
  expect(stored.map(({ reply }) => reply)).toEqual([...manySorts]);
  const about = ({ measurementId, probeAgent, probeInstance }: StoredReply) => [
    measurementId,
    probeAgent,
    probeInstance,
  ];
  expect(new Set(stored.map((one) => about(one).join()))).toEqual(new Set([`${measurement},agent-2,7`]));
  const [row] = await store.rows<{ day: number; age: number }>(
    `SELECT toUInt8(date = toDate(time_received_ns)) AS day,
      abs(toUnixTimestamp64Milli(time_inserted_ns) - {nowMs:Int64}) < 60000 AS age FROM measure.replies LIMIT 1`,
    { nowMs: Date.now() },
  );
  expect(row).toEqual({ day: 1, age: 1 });
});

test("a reply without headers belongs to no measurement and no sender", async () => {
  await insertReplies([sampleReply(0, { agentId: "agent-without" })], {});
  const [stored] = await replies({ agent: "agent-without" });
  expect([stored?.measurementId, stored?.probeAgent, stored?.probeInstance]).toEqual(["", "", 0]);
});

test.each([300, 66_000])("a block of %p different texts has each in its row", async (count) => {
  const block = new ReplyBlock();
  for (let i = 0; i < count; i++) {
    const value = encodeReply(
      sampleReply(i, { agentId: `texts-${count}`, probeId: i & 0xffff, probeTtl: i >> 16 }),
    );
    block.add({ value, headers: { measurement_id: `texts-${i}` }, partition: 0 }, nowMs);
  }
  await insertBlock(store.store, {
    table: replyBlockTable,
    block: block.toBytes(),
    token: crypto.randomUUID(),
  });
  const [found] = await store.rows(
    `SELECT toUInt32(count()) AS rows,
      toUInt32(countIf(measurement_id = concat('texts-', toString(probe_id + 65536 * probe_ttl)))) AS right
    FROM measure.replies WHERE agent_id = {agent:String}`,
    { agent: `texts-${count}` },
  );
  expect(found).toEqual({ rows: count, right: count });
});

test("one block more under its token changes nothing, under another it does", async () => {
  const block = new ReplyBlock();
  const value = encodeReply(sampleReply(0, { agentId: "agent-twice" }));
  block.add({ value, headers, partition: 0 }, nowMs);
  const insert = { table: replyBlockTable, block: block.toBytes(), token: "token-a" };
  const count = async () => (await replies({ agent: "agent-twice" })).length;
  await insertBlock(store.store, insert);
  await insertBlock(store.store, insert);
  expect(await count()).toBe(1);
  await insertBlock(store.store, { ...insert, token: "token-b" });
  expect(await count()).toBe(2);
});

test("filters choose by agent, sender, destination, source and time; limits cut", async () => {
  const mark = { measurement_id: "filters", probe_agent: "sender", probe_instance: "0" };
  const v4 = {
    probeDstAddr: address("203.0.113.9"),
    probeSrcAddr: address("198.51.100.2"),
    agentId: "v4-agent",
  };
  await insertReplies([...Array(40).keys()].map((i) => sampleReply(i)).concat(sampleReply(40, v4)), mark);
  const count = async (filter: object, limit?: number) =>
    (await replies({ measurementId: "filters", ...filter }, limit)).length;
  expect(await count({})).toBe(41);
  expect(await count({}, 5)).toBe(5);
  expect(await count({ agent: "v4-agent" })).toBe(1);
  expect(await count({ agent: "sender" })).toBe(41);
  expect(await count({ destination: prefix("2001:db8:b::1/128") })).toBe(8);
  expect(await count({ destination: prefix("2001:db8:b::/126") })).toBe(40);
  expect(await count({ destination: prefix("203.0.113.0/24") })).toBe(1);
  expect(await count({ destination: prefix("0.0.0.0/0") })).toBe(1);
  expect(await count({ source: prefix("2001:db8:a::/48") })).toBe(40);
  expect(await count({ sinceMs: nowMs, untilMs: nowMs + 1 })).toBe(41);
  expect(await count({ untilMs: nowMs })).toBe(0);
  expect(await count({ sinceMs: nowMs + 1 })).toBe(0);
});

test("what a user writes is a value to the store, never SQL", async () => {
  const id = "x' OR 1=1 --\\\n\t";
  await insertReplies([sampleReply(0)], { measurement_id: id });
  expect((await replies({ measurementId: id })).length).toBe(1);
  expect((await replies({ measurementId: `${id}'` })).length).toBe(0);
});

test("a follower sees each reply once, those of before and those that come", async () => {
  const mark = { measurement_id: "follow" };
  await insertReplies([sampleReply(0), sampleReply(1)], mark);
  const stop = new AbortController();
  const seen: number[] = [];
  const follow = { afterNs: BigInt(nowMs - 60_000) * 1_000_000n, signal: stop.signal };
  for await (const { rtt_ms } of followReplies(store.store, { measurementId: "follow" }, follow)) {
    seen.push(Math.round(10 * (rtt_ms ?? 0)));
    if (seen.length === 2) {
      await insertReplies([sampleReply(2)], mark);
    }
    if (seen.length === 3) {
      setTimeout(() => stop.abort(), 700);
    }
  }
  expect(seen.sort()).toEqual([0, 1, 2]);
});

test("submitted probes have a row for each agent; paths, loss and catchment are counted from them", async () => {
  const measurementId = "figures";
  const probes = [...Array(64).keys()].map(sampleProbe);
  const header = { measurementId, endOfMeasurement: false, firstProbe: 100, notAfterMs: null };
  const block = new ProbeBlock();
  const targets = {
    "agent-1": encodeTargetHeader({ ...header, srcIp: "" }),
    "agent-2": encodeTargetHeader({ ...header, srcIp: "2001:db8:a::1", shape: { sizeBytes: 1400 } }),
    traceparent: "00-0af7",
  };
  expect(block.add(encodeProbes(probes), targets, nowMs)).toBe(1);
  await insertBlock(store.store, { table: "measure.probes", block: block.toBytes(), token: "figures" });
  const rows = await store.rows<Record<string, unknown>>(
    "SELECT * FROM measure.probes WHERE measurement_id = 'figures' AND probe_index = 133 ORDER BY agent_id",
  );
  const common = {
    date: new Date(nowMs).toISOString().slice(0, 10),
    time_submitted: new Date(nowMs).toISOString().replace("T", " ").replace("Z", ""),
    measurement_id: "figures",
    probe_index: 133,
    probe_dst_addr: "2001:db8:b::1",
    probe_src_port: 24_000,
    probe_dst_port: 33_434,
    probe_ttl: 2,
    ...{ probe_protocol: 17, probe_dont_fragment: 0 },
  };
  expect(rows).toEqual([
    { ...common, agent_id: "agent-1", probe_src_addr: "::", probe_size_bytes: 0 },
    { ...common, agent_id: "agent-2", probe_src_addr: "2001:db8:a::1", probe_size_bytes: 1400 },
  ]);

  // agent-1 hears all answers to its first target but the last, one of them twice; agent-2 hears one of agent-1's.
  const heard = [...Array(31).keys()].map((i) => sampleReply(i));
  const sentByOne = { measurement_id: measurementId, probe_agent: "agent-1", probe_instance: "1" };
  await insertReplies([...heard, sampleReply(3, { rttTenthMs: 9 })], sentByOne);
  await insertReplies([sampleReply(31, { agentId: "agent-2", rttTenthMs: 65_535 })], sentByOne);
  const loss = await viewRows(store.store, lossView, { measurementId });
  const line = (agent: string, to: string, answered: number, replies: number) => ({
    agent,
    destination: to,
    submitted: 32,
    answered,
    lost: 32 - answered,
    loss_percent: 100 - (100 * answered) / 32,
    replies,
    // The second answer to one of them names another send time, so it is not a copy.
    duplicates: 0,
  });
  expect(loss).toEqual([
    line("agent-1", "2001:db8:b::", 32, 33),
    line("agent-2", "2001:db8:b::", 0, 0),
    line("agent-1", "2001:db8:b::1", 0, 0),
    line("agent-2", "2001:db8:b::1", 0, 0),
  ]);
  const paths = await viewRows<v.InferOutput<typeof pathSchema>>(store.store, pathsView, { measurementId });
  expect(paths.map(({ agent, probes }) => [agent, probes.submitted, probes.answered])).toEqual([
    ["agent-1", 32, 32],
    ["agent-2", 32, 0],
    ["agent-1", 32, 0],
    ["agent-2", 32, 0],
  ]);
  expect(paths[0]?.flows).toEqual([{ src_port: 24_000, dst_port: 33_434, end_ttl: null }]);
  expect(paths[0]?.hops.find(({ ttl }) => ttl === 4)?.routers).toEqual([
    {
      ...{ address: "2001:db8::3", name: null, flows: [0], probes: 2, answered: 2, loss_percent: 0 },
      ...{ rtt_min_ms: 0.3, rtt_p10_ms: 0.36, rtt_median_ms: 0.6, rtt_p90_ms: 0.84, rtt_max_ms: 0.9 },
      ...{ rtt_mean_ms: 0.6, rtt_standard_deviation_ms: 0.3, rtt_jitter_ms: 0.6 },
      ...{ rtt_samples_ms: [0.3, 0.9], mpls_labels: [], answer: { kind: "ttl_exceeded" }, says: "" },
      quoted_traffic_classes: [3],
      ...{ next_hop_mtus: [], rewritten: [], quoted_sources: [] },
    },
  ]);
  expect<readonly object[]>(
    await viewRows(store.store, catchmentView, { measurementId, source: prefix("2001:db8:a::/48") }),
  ).toEqual([
    {
      probe_agent: "agent-1",
      probe_instance: 1,
      heard_by: "agent-1",
      replies: 32,
      share_percent: 96.97,
      destinations: 1,
      responders: 31,
    },
    {
      probe_agent: "agent-1",
      probe_instance: 1,
      heard_by: "agent-2",
      replies: 1,
      share_percent: 3.03,
      destinations: 1,
      responders: 1,
    },
  ]);
});

test("ICMP sends no destination port: its answers are those of its probes all the same", async () => {
  const measurementId = "icmp";
  const probe = { dst: address("203.0.113.9"), srcPort: 5, dstPort: 9, ttl: 3, protocol: "icmp" } as const;
  const block = new ProbeBlock();
  const header = { srcIp: "", measurementId, endOfMeasurement: true, firstProbe: 0, notAfterMs: null };
  block.add(encodeProbes([probe]), { "agent-1": encodeTargetHeader(header) }, nowMs);
  await insertBlock(store.store, { table: "measure.probes", block: block.toBytes(), token: "icmp" });
  const reply = { probeDstAddr: probe.dst, probeProtocol: 1, probeSrcPort: 5, probeDstPort: 0, probeTtl: 3 };
  await insertReplies([sampleReply(0, reply)], { measurement_id: measurementId });
  const [loss] = await viewRows(store.store, lossView, { measurementId });
  expect(loss).toMatchObject({ submitted: 1, answered: 1, replies: 1 });
});

test("an early end of a large result frees its thread", async () => {
  const many = [...Array(20_000).keys()].map((i) => sampleReply(i));
  await insertReplies(many, { measurement_id: "many" });
  const filter = { measurementId: "many" };
  for (let i = 0; i < 8; i++) {
    const pages = repliesView.pages((question) => question(store.store), { filter, limit: null }, "ndjson");
    expect((await pages.next()).done).toBe(false);
    await pages.return();
  }
  const all = await replies(filter);
  expect(all).toHaveLength(20_000);
  expect(
    new Set(all.map(({ reply }) => `${reply.timeReceivedNs} ${reply.probeId} ${reply.rttTenthMs}`)).size,
  ).toBe(new Set(many.map((reply) => `${reply.timeReceivedNs} ${reply.probeId} ${reply.rttTenthMs}`)).size);
});

function prefix(text: string) {
  const parsed = parsePrefix(text);
  if (parsed === null) {
    throw new TypeError(`"${text}" is not a prefix`);
  }
  return parsed;
}
