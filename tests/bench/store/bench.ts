/**
 * Rows per second from bytes of reply records to rows in the embedded store, beside the plain way by objects; and the
 * CPU time of a row, here and in the store, until all parts are merged.
 */
import { batchRowsMax } from "../../../apps/probing/ingester/limits.ts";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import { ReplyBlock, replyBlockTable } from "../../../lib/engines/store/clickhouse/reply-block.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { decodeReply, encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { TestStore } from "../../contract/store/processes.ts";
import { sampleReply } from "../../contract/store/samples.ts";
import type { BenchOptions } from "../options.ts";
import { usageOf } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";

const rowsDefault = 1_000_000;
/** As the ingester's when it is busy. */
const batchRows = batchRowsMax;
const sender = {
  measurement_id: "6f0d7b0e-5b0e-4b8e-9d58-6a7f0c9b1d11",
  probe_agent: "vantage-1",
  probe_instance: "0",
};
/** As an agent's records have them: each with its number. */
const numbered = { ...sender, producer: "0d1f1ab6-1c4c-4b8c-8c7c-9a5e2b2f4b11" };
/** Merges begin soon after the last insert, or not at all. */
const quietMs = 1000;

interface Subject {
  readonly name: string;
  /** Replies in a record of the broker. */
  readonly perRecord: number;
  readonly insert: (store: TestStore, records: readonly Uint8Array[]) => Promise<void>;
}

const subjects: readonly Subject[] = [
  { name: "vantage, 64 replies a record", perRecord: 64, insert: insertBlocks },
  { name: "vantage, one reply a record", perRecord: 1, insert: insertBlocks },
  { name: "objects, JSONEachRow", perRecord: 1, insert: insertObjects },
];

/** Throws when a row is missing. The store is a process of its own; its files go with it. */
export async function benchStore(options: BenchOptions): Promise<BenchReport> {
  const count = options.count ?? rowsDefault;
  const messages = new Messages(count);
  await using store = await TestStore.start();
  const names = subjects.map(({ name }) => name);
  const [speed, own, stored, bytes] = [figure(names), figure(names), figure(names), figure(names)];
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      const found = await measure(store, subject, messages);
      speed.get(subject.name)?.push(found.rowsPerSec);
      own.get(subject.name)?.push(found.ownUs);
      stored.get(subject.name)?.push(found.storeUs);
      bytes.get(subject.name)?.push(found.bytes);
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "store",
    what: `Storing ${count} replies in batches of ${batchRows}, median of ${options.rounds} rounds`,
    subjects: names,
    references: ["objects, JSONEachRow"],
    figures: [
      { unit: "rows/s", decimals: 0, rounds: speed },
      { unit: "CPU µs/row, blocks", decimals: 2, rounds: own },
      { unit: "CPU µs/row, store", decimals: 2, rounds: stored },
      { unit: "bytes/row", decimals: 1, rounds: bytes },
    ],
    notes: [
      "From Cap'n Proto bytes to rows that can be queried, both projections included.",
      "One batch after another: store and blocks wait for each other. CPU of the store: until its parts are merged.",
      "vantage: columns made from the bytes, inserted as Native; objects: decoded, written as JSON,",
      "without the record's producer and number and with times in ms, hence their fewer bytes.",
    ],
  };
}

function figure(names: readonly string[]): Map<string, number[]> {
  return new Map(names.map((name) => [name, []]));
}

interface Measured {
  readonly rowsPerSec: number;
  /** Microseconds of CPU time a row: of this process, and of the store's. */
  readonly ownUs: number;
  readonly storeUs: number;
  /** On disk, a row. */
  readonly bytes: number;
}

async function measure(
  store: TestStore,
  { insert, perRecord }: Subject,
  messages: Messages,
): Promise<Measured> {
  await store.command("TRUNCATE TABLE measure.replies");
  const { pid } = store.part.process;
  const storeBefore = usageOf(pid).cpuSec;
  let [elapsedMs, ownUs] = [0, 0];
  for (let first = 0; first < messages.count; first += batchRows) {
    const records = messages.records(first, Math.min(batchRows, messages.count - first), perRecord);
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    await insert(store, records);
    elapsedMs += performance.now() - startedAt;
    const used = process.cpuUsage(before);
    ownUs += used.user + used.system;
  }
  const stored = await store.count("replies");
  if (stored !== messages.count) {
    throw new Error(`Only ${stored} of ${messages.count} replies are stored`);
  }
  await untilMerged(store);
  const storeUs = 1e6 * (usageOf(pid).cpuSec - storeBefore);
  const [disk] = await store.rows<{ bytes: number }>(
    "SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE table = 'replies' AND active",
  );
  const { count } = messages;
  const rowsPerSec = count / (elapsedMs / 1000);
  return { rowsPerSec, ownUs: ownUs / count, storeUs: storeUs / count, bytes: disk?.bytes ?? 0 };
}

async function untilMerged(store: TestStore): Promise<void> {
  for (let running = 1; running > 0; ) {
    await Bun.sleep(quietMs);
    const [row] = await store.rows<{ merges: number }>(
      "SELECT toUInt32(count()) AS merges FROM system.merges",
    );
    running = row?.merges ?? 0;
  }
}

/** Encoded once for all rounds, one behind the other: records of any number of replies are views into it. */
class Messages {
  readonly count: number;
  readonly #bytes: Uint8Array;
  /** Where each begins, and the end. */
  readonly #starts: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.#starts = new Float64Array(count + 1);
    let bytes = new Uint8Array(0);
    for (let i = 0; i < count; i++) {
      const message = encodeReply(sampleReply(i));
      const start = this.#starts[i] ?? 0;
      if (start + message.length > bytes.length) {
        const wider = new Uint8Array(Math.max(message.length * count, 2 * bytes.length));
        wider.set(bytes);
        bytes = wider;
      }
      bytes.set(message, start);
      this.#starts[i + 1] = start + message.length;
    }
    this.#bytes = bytes;
  }

  records(first: number, count: number, perRecord: number): Uint8Array[] {
    const end = first + count;
    return Array.from({ length: Math.ceil(count / perRecord) }, (_, r) => {
      const from = first + r * perRecord;
      return this.#bytes.subarray(this.#starts[from], this.#starts[Math.min(end, from + perRecord)]);
    });
  }
}

/** Used again and again, as by the ingester. */
const block = new ReplyBlock();
let sequence = 0;

async function insertBlocks({ store }: TestStore, records: readonly Uint8Array[]): Promise<void> {
  block.clear();
  for (const value of records) {
    const headers = { ...numbered, sequence: String(++sequence) };
    block.add({ value, headers, partition: 0 }, Date.now());
  }
  await insertBlock(store, {
    table: replyBlockTable,
    block: block.toBytes(),
    token: crypto.randomUUID(),
  });
}

async function insertObjects({ store }: TestStore, records: readonly Uint8Array[]): Promise<void> {
  await store.client.insert({
    table: "measure.replies",
    values: records.map(rowOf),
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: crypto.randomUUID() },
  });
}

function rowOf(record: Uint8Array): Record<string, unknown> {
  const decoded = decodeReply(record);
  if (!decoded.ok) {
    throw new Error(`Cannot decode: ${decoded.reason}`);
  }
  const { reply } = decoded;
  const time = `${new Date(Number(reply.timeReceivedNs / 1_000_000n)).toISOString().replace("T", " ").slice(0, -1)}`;
  const labels = reply.replyMplsLabels.map(({ label, exp, bottomOfStack, ttl }) => [
    ...[label, exp],
    ...[bottomOfStack ? 1 : 0, ttl],
  ]);
  return {
    ...{ date: time.slice(0, 10), time_inserted_ns: time, time_received_ns: time, agent_id: reply.agentId },
    ...{ reply_src_addr: ipv6(reply.replySrcAddr), reply_dst_addr: ipv6(reply.replyDstAddr) },
    ...{ reply_id: reply.replyId, reply_size: reply.replySize, reply_ttl: reply.replyTtl },
    ...{ reply_quoted_ttl: reply.replyQuotedTtl, reply_protocol: reply.replyProtocol },
    ...{
      reply_icmp_type: reply.replyIcmpType,
      reply_icmp_code: reply.replyIcmpCode,
      reply_mpls_labels: labels,
    },
    ...{ probe_src_addr: ipv6(reply.probeSrcAddr), probe_dst_addr: ipv6(reply.probeDstAddr) },
    ...{ probe_id: reply.probeId, probe_size: reply.probeSize, probe_ttl: reply.probeTtl },
    ...{ probe_protocol: reply.probeProtocol, probe_src_port: reply.probeSrcPort },
    ...{ probe_dst_port: reply.probeDstPort, rtt: reply.rttTenthMs },
    ...sender,
  };
}

function ipv6(address: Uint8Array): string {
  const text = formatAddress(address);
  return text.includes(":") ? text : `::ffff:${text}`;
}
