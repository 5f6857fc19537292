/**
 * What a probe costs in time, CPU and memory by the size of its campaign, from lines in a file through client, embedded
 * broker and agent to the wire: ten thousand probes, then ten times as many, and so on.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inNamespace, LabError, run } from "../../lab/namespaces.ts";
import type { BenchOptions } from "../options.ts";
import type { Usage } from "../pipeline/process-usage.ts";
import type { BenchReport, Figure } from "../report.ts";
import { receiverInterface, VethLink } from "../send/veth-link.ts";

const smallest = 10_000;
const largestDefault = 10_000_000;
const linesPerAddress = 16;
const limitMb = 300;
const vantage = [process.execPath, join(import.meta.dirname, "../../../apps/vantage.ts")];
const reference = "limit";

interface Run {
  readonly elapsedMs: number;
  readonly client: Usage;
  readonly agent: Usage;
}

/** `count` = the largest campaign. Lines and log are made in `folder`, some 90 bytes a probe together. */
export async function benchMemory(options: BenchOptions, folder: string): Promise<BenchReport> {
  const counts = sizesUpTo(options.count ?? largestDefault);
  const runs = new Map<number, Run[]>();
  await using link = await VethLink.make();
  for (const count of counts) {
    const lines = join(folder, "probes.csv");
    await writeLines(lines, count);
    const done: Run[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      done.push(await measure(link, lines, count));
      process.stderr.write(`${nameOf(count)}: round ${round} of ${options.rounds}\n`);
    }
    runs.set(count, done);
    rmSync(lines);
  }
  return {
    bench: "memory",
    what: `A probe's cost from a line in a file to the wire, median of ${options.rounds} rounds`,
    subjects: [...counts.map(nameOf), reference],
    references: [reference],
    figures: figuresOf(runs),
    notes: [
      "Time and CPU are those of whole processes, their start of some 0.5 s included; the agent sends by `packet`.",
      "Each packet is counted at the far end of the link. Memory is the most that was resident at once.",
      "Embedded broker.",
    ],
  };
}

function sizesUpTo(largest: number): number[] {
  const sizes: number[] = [];
  for (let size = Math.min(smallest, largest); size <= largest; size *= 10) {
    sizes.push(Math.ceil(size / linesPerAddress) * linesPerAddress);
  }
  return sizes;
}

function nameOf(count: number): string {
  return `${count.toLocaleString("en")} probes`;
}

function figuresOf(runs: ReadonlyMap<number, readonly Run[]>): Figure[] {
  const each = (of: (run: Run, count: number) => number) =>
    [...runs].map(([count, list]) => [nameOf(count), list.map((one) => of(one, count))] as const);
  const cpuUs = ({ client, agent }: Run) => (client.cpuSec + agent.cpuSec) * 1e6;
  const memory = (of: (run: Run) => Usage) =>
    new Map([...each((one) => of(one).peakMb), [reference, [limitMb]] as const]);
  return [
    { unit: "s", decimals: 2, rounds: new Map(each(({ elapsedMs }) => elapsedMs / 1000)) },
    { unit: "CPU µs/probe", decimals: 2, rounds: new Map(each((one, count) => cpuUs(one) / count)) },
    { unit: "client MB", decimals: 0, rounds: memory(({ client }) => client) },
    { unit: "agent MB", decimals: 0, rounds: memory(({ agent }) => agent) },
  ];
}

/** By the command that people use. */
async function writeLines(path: string, count: number): Promise<void> {
  const addresses = count / linesPerAddress;
  const prefix = `10.0.0.0/${32 - Math.ceil(Math.log2(addresses))}`;
  const order = [
    "--no-shuffle",
    "--per-prefix",
    String(addresses),
    "--seed",
    "1",
    "--ttl",
    `1-${linesPerAddress}`,
  ];
  const child = Bun.spawn([...vantage, "probes", ...order, prefix], {
    stdout: Bun.file(path),
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) {
    throw new LabError("Cannot write probe lines");
  }
}

async function measure(link: VethLink, file: string, count: number): Promise<Run> {
  const script = join(import.meta.dirname, "../send/lines.ts");
  const before = await received(link);
  const command = [process.execPath, script, "packet", file, String(count)];
  const said = await run(inNamespace(link.sender, command));
  const packets = (await received(link)) - before;
  if (packets < count) {
    throw new LabError(`Only ${packets} of ${count} packets arrived`);
  }
  return JSON.parse(said);
}

async function received(link: VethLink): Promise<number> {
  const counter = `/sys/class/net/${receiverInterface}/statistics/rx_packets`;
  return Number(await run(inNamespace(link.receiver, ["cat", counter])));
}
