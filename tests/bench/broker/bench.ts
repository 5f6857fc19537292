/** Records per second into each broker and out of it again, in turns: probe records of 48 kB, replies of 200 bytes. */
import { join } from "node:path";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { startKafka } from "../../kafka/kafka.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport, Figure } from "../report.ts";

const repliesDefault = 100_000;
const hourMs = 3_600_000;

/** Records of one kind, as agents and clients write them. */
interface Load {
  readonly name: string;
  readonly bytes: number;
  readonly partitions: number;
  /** Records in one call of publish. */
  readonly perCall: number;
  /** One such record for so many replies. */
  readonly share: number;
}

const loads: readonly Load[] = [
  { name: "probe records", bytes: 48_000, partitions: 16, perCall: 20, share: 100 },
  { name: "reply records", bytes: 200, partitions: 1, perCall: 1000, share: 1 },
];

/** The logs lie in `folder`, and a real Kafka beside it. */
export async function benchBroker(options: BenchOptions, folder: string): Promise<BenchReport> {
  const replies = options.count ?? repliesDefault;
  await using kafka = await startKafka();
  const addresses = new Map([
    ["embedded", `embedded:${join(folder, "log")}`],
    ["kafka", `kafka:${kafka.server}`],
  ]);
  const rounds = new Map<string, Map<string, number[]>>();
  const note = (unit: string, subject: string, value: number) => {
    const figure = rounds.get(unit) ?? new Map<string, number[]>();
    figure.set(subject, [...(figure.get(subject) ?? []), value]);
    rounds.set(unit, figure);
  };
  for (let round = 1; round <= options.rounds; round++) {
    for (const [subject, address] of addresses) {
      for (const load of loads) {
        const count = Math.max(load.perCall, Math.ceil(replies / load.share));
        await using broker = await openBroker(address);
        const topic = `${load.name.replace(" ", "-")}-${round}`;
        await broker.ensureTopic({ name: topic, partitions: load.partitions, retentionMs: hourMs });
        note(`${load.name}/s in`, subject, await measureIn(broker, topic, load, count));
        note(`${load.name}/s out`, subject, await measureOut(broker, topic, count));
      }
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const figures: Figure[] = [...rounds].map(([unit, values]) => ({ unit, decimals: 0, rounds: values }));
  return {
    bench: "broker",
    what: `${replies} reply records of 200 bytes, probe records of 48 kB, median of ${options.rounds} rounds`,
    subjects: [...addresses.keys()],
    references: ["kafka"],
    figures,
    notes: [
      "embedded: each publish is on disk (fsync) when it resolves; kafka: Apache Kafka 4.1.1 on this machine,",
      "by kafkajs, acknowledged from its memory. In: publish after publish; out: a new group from the start.",
    ],
  };
}

async function measureIn(broker: Broker, topic: string, load: Load, count: number): Promise<number> {
  const value = new Uint8Array(load.bytes);
  const headers = { agent: "vantage-1", measurement_id: "6f0d7b0e-5b0e-4b8e-9d58-6a7f0c9b1d11" };
  const recordOf = (index: number): OutgoingRecord => ({ key: `measurement ${index % 64}`, value, headers });
  const startedAt = performance.now();
  for (let at = 0; at < count; at += load.perCall) {
    const size = Math.min(load.perCall, count - at);
    await broker.publish(
      topic,
      Array.from({ length: size }, (_, index) => recordOf(at + index)),
    );
  }
  return count / ((performance.now() - startedAt) / 1000);
}

async function measureOut(broker: Broker, topic: string, count: number): Promise<number> {
  await using subscription = await broker.subscribe("bench", [topic]);
  const startedAt = performance.now();
  for (let left = count; left > 0; ) {
    const records = await subscription.next({ recordsMax: 1000, waitMs: 1000 });
    const last = records.at(-1);
    if (last !== undefined) {
      await subscription.commit(topic, last.partition, last.offset + 1n);
    }
    left -= records.length;
  }
  return count / ((performance.now() - startedAt) / 1000);
}
