/**
 * Live answers per second that an agent takes, beside what the flooder can send at all.
 *
 * A C program floods the agent's interface with ICMP time exceeded that quote the agent's probes, sent moments ago,
 * at full speed. Each stage counts what reached its end: Reply messages in the engine's ring, then in a broker, then
 * rows of the column store.
 */
import { join } from "node:path";
import { kafkaFiles } from "../../kafka/kafka-files.ts";
import { inNamespace, LabError, run } from "../../lab/namespaces.ts";
import { linesOf } from "../lines.ts";
import type { BenchOptions } from "../options.ts";
import { writeReplies } from "../parse/replies-file.ts";
import type { Usage } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";
import { senderInterface, VethLink } from "../send/veth-link.ts";

/** Written and sent within one wrap of the time code, 6.55 s: what is older fails its tag. */
const repliesDefault = 1_500_000;
const ticksPerMs = 10;
/** The different answers have 16,384 ticks between them; none may come from a probe that has not left yet. */
const sentAgoMs = 1700;
const flooder = "flood.c alone";

interface Subject {
  readonly name: string;
  /** Script and arguments before the count. */
  readonly listener: readonly string[];
  /** Name of the key in the listener's output. */
  readonly counts: "replies" | "packets";
}

const ours: readonly Subject[] = [
  { name: "vantage engine", listener: ["hear.ts"], counts: "replies" },
  {
    name: "vantage agent to embedded, 64 a record",
    listener: ["hear-agent.ts", "embedded", "64"],
    counts: "replies",
  },
  {
    name: "vantage agent to embedded, 1 a record",
    listener: ["hear-agent.ts", "embedded", "1"],
    counts: "replies",
  },
  {
    name: "vantage agent to Kafka, 64 a record",
    listener: ["hear-agent.ts", "kafka", "64"],
    counts: "replies",
  },
  {
    name: "vantage agent to rows of the store, 64 a record",
    listener: ["hear-agent.ts", "store", "64"],
    counts: "replies",
  },
];
const reference: Subject = { name: flooder, listener: ["../send/watch.ts"], counts: "packets" };

interface Round {
  readonly perSec: number;
  readonly lostShare: number;
  /** Usage of the listening process; null for one that only counts packets. */
  readonly usage: Usage | null;
}

/** `folder` is for the compiled flooder and its packets. Throws when a listener fails. */
export async function benchReceive(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? repliesDefault;
  // In the namespace, where it will run, there is no network to fetch it by.
  await kafkaFiles();
  const program = join(folder, "flood");
  await run([
    "gcc",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-o",
    program,
    join(import.meta.dirname, "flood.c"),
  ]);
  const subjects = [...ours, reference];
  const rounds = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(await measure({ link, subject, count, program, folder }));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const each = (of: (round: Round) => number) =>
    new Map([...rounds].map(([name, list]) => [name, list.map(of)]));
  const eachUsage = (of: (usage: Usage) => number) =>
    new Map(
      [...rounds]
        .map(
          ([name, list]) => [name, list.flatMap(({ usage }) => (usage === null ? [] : [of(usage)]))] as const,
        )
        .filter(([, values]) => values.length > 0),
    );
  return {
    bench: "receive",
    what: `Taking ${count} live answers at the flooder's full speed, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [reference.name],
    figures: [
      { unit: "replies/s", decimals: 0, rounds: each(({ perSec }) => perSec) },
      { unit: "% not taken", decimals: 2, rounds: each(({ lostShare }) => 100 * lostShare) },
      { unit: "CPU µs/reply", decimals: 2, rounds: eachUsage(({ cpuSec }) => (1e6 * cpuSec) / count) },
      { unit: "peak MB", decimals: 0, rounds: eachUsage(({ peakMb }) => peakMb) },
    ],
    notes: [
      "Half IPv4, half IPv6, each tag checked. The flooder's core also does the kernel's work of receiving.",
      "What is not taken was dropped by the capture ring, or older than 6.55 s when it was read, and counted.",
      "CPU time and peak memory are those of the engine's or the agent's process, its start included.",
    ],
  };
}

interface Order {
  readonly link: VethLink;
  readonly subject: Subject;
  readonly count: number;
  readonly program: string;
  readonly folder: string;
}

async function measure({ link, subject, count, program, folder }: Order): Promise<Round> {
  const [script = "", ...args] = subject.listener;
  const command = [process.execPath, join(import.meta.dirname, script), ...args, String(count)];
  const listener = Bun.spawn(inNamespace(link.receiver, command), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(listener.stdout);
  await lines.next();
  const packets = join(folder, "replies.pcap");
  writeReplies(packets, count, (Date.now() - sentAgoMs) * ticksPerMs);
  const flood = ["taskset", "-c", "0", program, senderInterface, link.gatewayMac, packets, String(count)];
  await run(inNamespace(link.sender, flood));
  const { value } = await lines.next();
  await listener.exited;
  if (value === undefined) {
    throw new LabError(`Nothing was heard by ${subject.name}`);
  }
  const said = JSON.parse(value);
  const taken: number = subject.counts === "packets" ? said.timed : said.replies;
  const whole: number = subject.counts === "packets" ? said.packets : said.replies;
  const usage = subject.counts === "packets" ? null : { cpuSec: said.cpuSec, peakMb: said.peakMb };
  return { perSec: taken / (said.elapsedMs / 1000), lostShare: 1 - whole / count, usage };
}
