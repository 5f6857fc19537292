/** What a release keeps on one machine besides databases: embedded log and column store, filled and read back. */
import type { Broker, IncomingRecord, OutgoingRecord } from "../../lib/engines/broker/broker.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { openStore } from "../../lib/engines/store/clickhouse/open.ts";
import type { Reply } from "../../lib/net/packet/reply.ts";
import { encodeReply } from "../../lib/net/wire/reply-codec.ts";
import { repliesTopic } from "../../lib/net/wire/target-header.ts";
import { Part } from "../contract/store/processes.ts";
import { manySorts } from "../contract/store/samples.ts";
import { until } from "../exchange/until.ts";

/** Below the folder of a platform. */
export const probingDatabase = "gateway/database";
export const peeringDatabase = "peering/database";

/** Its records outlive those of other topics, which are gone after a day. */
const keptTopic = { name: "kept", partitions: 4, retentionMs: 20 * 365 * 86_400_000 } as const;
const keptGroup = "reader";
/** So long that a store of any age has its rows. */
const ttlDays = "3650";

export interface PlatformFacts {
  /** Rows of measure.replies, without the time of their storing, in the order of capture. */
  readonly replies: readonly unknown[];
  readonly probes: number;
  /** Values of what the group had left. */
  readonly kept: readonly string[];
}

/** Without a gateway, unless options for one are given. */
export async function startPlatform(folder: string, ...gateway: readonly string[]): Promise<Part> {
  const options = ["--dir", folder, "--ttl-days", ttlDays, "--listen", "127.0.0.1:0"];
  const stack = await Part.start(...options, ...(gateway.length === 0 ? ["--no-gateway"] : gateway));
  await until("the stack's addresses", () => stack.said.some((line) => line.includes("metrics")));
  return stack;
}

/** Fills a platform that runs; of the kept records, the group has read the first. */
export async function fillPlatform(folder: string): Promise<PlatformFacts> {
  await using broker = await openBroker(`embedded:${folder}/broker`);
  await broker.ensureTopic(keptTopic);
  const records: OutgoingRecord[] = ["one", "two", "three"].map((text) => ({
    key: "of one partition",
    value: new TextEncoder().encode(text),
    headers: { agent: "west" },
  }));
  await broker.publish(keptTopic.name, records);
  await take(broker, 1);
  await publishReplies(folder, manySorts);
  await until("rows of all replies", async () => (await repliesIn(folder)).length === manySorts.length);
  return { ...(await platformFacts(folder)), kept: ["two", "three"] };
}

export async function platformFacts(folder: string): Promise<Omit<PlatformFacts, "kept">> {
  const [row] = await rowsOf<{ rows: number }>(
    folder,
    "SELECT toUInt32(count()) AS rows FROM measure.probes",
  );
  return { replies: await repliesIn(folder), probes: row?.rows ?? 0 };
}

export function repliesIn(folder: string): Promise<unknown[]> {
  return rowsOf(folder, "SELECT * EXCEPT time_inserted_ns FROM measure.replies ORDER BY time_received_ns");
}

/** Goes on where the group had stopped, to the end. */
export async function readKept(folder: string): Promise<string[]> {
  await using broker = await openBroker(`embedded:${folder}/broker`);
  const positions = await broker.positions(keptGroup, keptTopic.name);
  return await take(
    broker,
    Number(positions.reduce((sum, { committed, end }) => sum + (end - committed), 0n)),
  );
}

export async function publishReplies(folder: string, replies: readonly Reply[]): Promise<void> {
  await using broker = await openBroker(`embedded:${folder}/broker`);
  const headers = { measurement_id: "m" };
  await broker.publish(
    repliesTopic,
    replies.map((reply) => ({ key: "m", value: encodeReply(reply), headers })),
  );
}

async function take(broker: Broker, count: number): Promise<string[]> {
  await using subscription = await broker.subscribe(keptGroup, [keptTopic.name]);
  const records: IncomingRecord[] = [];
  while (records.length < count) {
    records.push(...(await subscription.next({ recordsMax: count - records.length, waitMs: 1000 })));
  }
  for (const { topic, partition, offset } of records.slice(-1)) {
    await subscription.commit(topic, partition, offset + 1n);
  }
  return records.map(({ value }) => new TextDecoder().decode(value));
}

async function rowsOf<Row>(folder: string, query: string): Promise<Row[]> {
  await using store = await openStore(`chdb:${folder}/store`);
  const result = await store.client.query({ query, format: "JSONEachRow" });
  return await result.json<Row>();
}
