/** Replies per second from a pcap file, by our hot path and by tcpdump, in turns; the file is in memory for both. */
import { join } from "node:path";
import { LabError } from "../../lab/namespaces.ts";
import { runToEnd } from "../../run/said.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { writeReplies } from "./replies-file.ts";

const repliesDefault = 1_000_000;

interface Subject {
  readonly name: string;
  /** Replies per second of one run. */
  readonly measure: (path: string, count: number) => Promise<number>;
}

const ours: Subject = { name: "vantage", measure: measureHotPath };
const reference: Subject = { name: "tcpdump", measure: measureTcpdump };

/** The file is made in `folder`. Throws when a parser fails, or ours does not find every reply. */
export async function benchParse(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? repliesDefault;
  const path = join(folder, "replies.pcap");
  writeReplies(path, count);
  // The first reader pays for what is not in memory yet; this one is not measured.
  await ours.measure(path, count);
  const subjects = [ours, reference];
  const rounds = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, measure } of subjects) {
      rounds.get(name)?.push(await measure(path, count));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "parse",
    what: `Reading ${count} ICMP time exceeded, half IPv4, half IPv6, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [reference.name],
    figures: [{ unit: "replies/s", decimals: 0, rounds }],
    notes: [
      "vantage: pcap file to checked Reply messages; tcpdump: -n -r FILE to /dev/null. One core each,",
      "file in memory.",
    ],
  };
}

async function measureHotPath(path: string, count: number): Promise<number> {
  const {
    stdout: said,
    stderr: complaint,
    exitCode,
  } = await runToEnd([process.execPath, join(import.meta.dirname, "hot-path.ts"), path]);
  if (exitCode !== 0) {
    throw new LabError(`Cannot parse: ${complaint.trim()}`);
  }
  const { replies, elapsedMs } = JSON.parse(said);
  if (replies !== count) {
    throw new LabError(`Only ${replies} of ${count} replies were found`);
  }
  return replies / (elapsedMs / 1000);
}

async function measureTcpdump(path: string, count: number): Promise<number> {
  const startedAt = performance.now();
  const child = Bun.spawn(["tcpdump", "-n", "-r", path], {
    stdin: "ignore",
    stdout: Bun.file("/dev/null"),
    stderr: "pipe",
  });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) {
    throw new LabError(`Cannot read with tcpdump: ${complaint.trim()}`);
  }
  return count / ((performance.now() - startedAt) / 1000);
}
