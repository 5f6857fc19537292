/** Bytes on disk of a probe and of a reply: in the embedded log, and in the column store when its parts are merged. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { encodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { probesTopic, repliesTopic, topicPartitions } from "../../../lib/net/wire/target-header.ts";
import { Part, TestStore } from "../../contract/store/processes.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { campaignProbe, campaignReply, measurementId } from "./campaign.ts";

const probesDefault = 500_000;
/** Records in one publish: some MB. */
const recordsAtOnce = 5000;
const dayMs = 86_400_000;
const vantage = join(import.meta.dirname, "../../../apps/vantage.ts");

/** Throws when a row is missing. One round: the sizes are the same in each. */
export async function benchDisk(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  await using store = await TestStore.start();
  const log = await fillLog(join(folder, "broker"), count, 1);
  const packed = await fillLog(join(folder, "packed"), count, 100);
  await using _ingester = await Part.start(
    ...["ingest", "--broker", `embedded:${join(folder, "broker")}`, "--store", store.address],
    ...["--dir", join(folder, "ingest"), "--child"],
  );
  await rowsAre(store, "replies", log.replies);
  await rowsAre(store, "probes", count);
  const rounds = new Map([
    ["embedded log, a probe", [log.probeBytes]],
    ["embedded log, a reply, one a record", [log.replyBytes]],
    ["embedded log, a reply, 100 a record", [packed.replyBytes]],
    ["column store, a probe", [await bytesPerRow(store, "probes")]],
    ["column store, a reply", [await bytesPerRow(store, "replies")]],
  ]);
  return {
    bench: "disk",
    what: `Bytes on disk of ${count} probes and the ${log.replies} replies to them`,
    subjects: [...rounds.keys()],
    references: [],
    figures: [{ unit: "bytes", decimals: 1, rounds }],
    notes: [
      "Synthetic: destinations in many /24s, 8 flows, TTLs 1 to 20, 3 of 4 answered (tests/bench/disk/campaign.ts).",
      "Log: the file. Its records of probes are the client's. Store: parts merged, with both projections.",
    ],
  };
}

interface LogSizes {
  readonly probeBytes: number;
  readonly replyBytes: number;
  readonly replies: number;
}

/** Probes by the client, replies as the agent's producer packs them. */
async function fillLog(folder: string, count: number, repliesPerRecord: number): Promise<LogSizes> {
  const address = `embedded:${folder}`;
  await using broker = await openBroker(address);
  for (const name of [probesTopic, repliesTopic]) {
    await broker.ensureTopic({ name, partitions: topicPartitions, retentionMs: dayMs });
  }
  const bytesOf = (topic: string) => statSync(join(folder, `${topic}.log`)).size;
  const empty = bytesOf(probesTopic);
  submit(folder, address, count);
  let replies = 0;
  for (const records of replyRecords(count, repliesPerRecord)) {
    await broker.publish(
      repliesTopic,
      records.map(({ record }) => record),
    );
    replies += records.reduce((sum, { held }) => sum + held, 0);
  }
  await cutWriteAheadLogs(folder);
  return {
    probeBytes: (bytesOf(probesTopic) - empty) / count,
    replyBytes: (bytesOf(repliesTopic) - empty) / replies,
    replies,
  };
}

function submit(folder: string, brokers: string, count: number): void {
  const lines = Array.from({ length: count }, (_, i) => {
    const { dst, srcPort, ttl } = campaignProbe(i);
    return `${dst},${srcPort},33434,${ttl},udp`;
  });
  const [file, config] = [join(folder, "probes.csv"), join(folder, "client.yaml")];
  writeFileSync(file, `${lines.join("\n")}\n`);
  writeFileSync(config, `kafka: { brokers: "${brokers}" }\n`);
  const command = [process.execPath, vantage, "client", "--config", config, "west"];
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: Bun.file(file) });
  if (exitCode !== 0) {
    throw new Error(`vantage client: ${stderr.toString().trim()}`);
  }
}

interface ReplyRecord {
  readonly record: OutgoingRecord;
  readonly held: number;
}

function* replyRecords(count: number, perRecord: number): Generator<ReplyRecord[]> {
  const startMs = Date.now();
  let messages: Uint8Array[] = [];
  let records: ReplyRecord[] = [];
  const close = () => {
    const headers = {
      agent: "west",
      measurement_id: measurementId,
      probe_agent: "west",
      probe_instance: "0",
    };
    records.push({ record: { key: "west", value: Buffer.concat(messages), headers }, held: messages.length });
    messages = [];
  };
  for (let i = 0; i < count; i++) {
    const reply = campaignReply(i, startMs);
    messages.push(...(reply === null ? [] : [encodeReply(reply)]));
    if (messages.length === perRecord) {
      close();
    }
    if (records.length === recordsAtOnce) {
      yield records;
      records = [];
    }
  }
  if (messages.length > 0) {
    close();
  }
  yield records;
}

/** What lies in the write-ahead log is put into the file. */
async function cutWriteAheadLogs(folder: string): Promise<void> {
  const { Database } = await import("bun:sqlite");
  for (const topic of [probesTopic, repliesTopic]) {
    const database = new Database(join(folder, `${topic}.log`));
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }
}

async function rowsAre(store: TestStore, table: string, wanted: number): Promise<void> {
  for (let rows = -1; rows !== wanted; ) {
    await Bun.sleep(50);
    rows = await store.count(table);
    if (rows > wanted) {
      throw new Error(`${rows} rows in ${table}: ${wanted} were published`);
    }
  }
}

async function bytesPerRow(store: TestStore, table: string): Promise<number> {
  await store.command(`OPTIMIZE TABLE measure.${table} FINAL`);
  const [size] = await store.rows<{ bytes: number; rows: number }>(
    `SELECT toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(sum(rows)) AS rows FROM system.parts
      WHERE active AND database = 'measure' AND table = {table:String}`,
    { table },
  );
  return size === undefined ? 0 : size.bytes / size.rows;
}
