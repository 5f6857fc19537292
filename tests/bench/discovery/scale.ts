/**
 * Rounds of a large discovery on two cores: the strategy between rounds, replies read from files as sorted as a store
 * gives them, and the probes it asks for. The answers are the simulator's, and their time is left out.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hash32 } from "../../discovery/simulator/hash32.ts";
import { LevelledInternet } from "../../discovery/simulator/levelled-internet.ts";
import { threeLevels } from "../../discovery/simulator/networks.ts";
import { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

const prefixesDefault = 250_000;
const subnetsEach = 8;
const workers = 2;
/** All routed /24s of IPv4 are 11 to 12 million (CIDR report, 2026). */
const routedPrefixes = 11_500_000;
const agents = 10;
const agentProbesPerSec = 100_000;
const sampleEvery = 16;

interface Round {
  readonly probes: number;
  readonly open: number;
  readonly sec: number;
  readonly cpuSec: number;
}

interface Size {
  readonly prefixes: number;
  /** Probes and units of all workers together, the time of the slowest. */
  readonly rounds: readonly Round[];
  readonly peakMb: number;
  readonly found: number;
  readonly there: number;
}

/** `--count` is the number of prefixes of the smaller size; the larger one has four times as many. */
export async function benchDiscoveryScale(options: BenchOptions, folder: string): Promise<BenchReport> {
  const prefixes = options.count ?? prefixesDefault;
  const sizes: Size[] = [];
  for (const count of [prefixes, 4 * prefixes]) {
    sizes.push(await discoverMany(count, join(folder, String(count))));
    process.stderr.write(`${count} prefixes done\n`);
  }
  const figure = (unit: string, decimals: number, value: (size: Size) => number) => ({
    unit,
    decimals,
    rounds: new Map(sizes.map((size) => [nameOf(size), [value(size)]])),
  });
  return {
    bench: "discovery-scale",
    what: "Rounds of `shared` on simulated prefixes of three levels, on two cores, once",
    subjects: sizes.map(nameOf),
    references: [],
    columnsMax: 7,
    figures: [
      figure("rounds", 0, ({ rounds }) => rounds.length - 1),
      figure("s, longest round", 2, ({ rounds }) => Math.max(...rounds.map(({ sec }) => sec))),
      figure("s, all rounds", 1, secOf),
      figure("CPU s, all rounds", 1, cpuSecOf),
      figure("probes/s, all rounds", 0, (size) => probesOf(size) / secOf(size)),
      figure("probes/prefix", 1, (size) => probesOf(size) / size.prefixes),
      figure("MB of a process", 0, ({ peakMb }) => peakMb),
    ],
    notes: notesOf(sizes),
  };
}

const nameOf = ({ prefixes }: Size) => `${prefixes.toLocaleString("en")} prefixes`;
const secOf = ({ rounds }: Size) => rounds.reduce((sum, { sec }) => sum + sec, 0);
const cpuSecOf = ({ rounds }: Size) => rounds.reduce((sum, { cpuSec }) => sum + cpuSec, 0);
const probesOf = ({ rounds }: Size) => rounds.reduce((sum, { probes }) => sum + probes, 0);

async function discoverMany(prefixes: number, folder: string): Promise<Size> {
  mkdirSync(folder, { recursive: true });
  const units = Math.ceil(prefixes / subnetsEach);
  const parts = await Promise.all(
    Array.from({ length: workers }, (_, i) => {
      const [from, to] = [i, i + 1].map((part) => Math.floor((units * part) / workers));
      return runWorker([units, from ?? 0, to ?? 0].map(String), folder);
    }),
  );
  rmSync(folder, { recursive: true });
  const lasting = Math.max(...parts.map(({ rounds }) => rounds.length));
  const rounds = Array.from({ length: lasting }, (_, i) => {
    const at = parts.flatMap((part) => part.rounds[i] ?? []);
    const sum = (value: (round: Round) => number) => at.reduce((all, round) => all + value(round), 0);
    return {
      probes: sum(({ probes }) => probes),
      open: sum(({ open }) => open),
      sec: Math.max(...at.map(({ sec }) => sec)),
      cpuSec: sum(({ cpuSec }) => cpuSec),
    };
  });
  const total = (value: (end: WorkerEnd) => number) => parts.reduce((sum, { end }) => sum + value(end), 0);
  return {
    prefixes,
    rounds,
    peakMb: Math.max(...parts.map(({ end }) => end.peakKb)) / 1000,
    found: total(({ found }) => found),
    there: total(({ there }) => there),
  };
}

interface WorkerEnd {
  readonly peakKb: number;
  readonly found: number;
  readonly there: number;
}

async function runWorker(
  args: readonly string[],
  folder: string,
): Promise<{ rounds: Round[]; end: WorkerEnd }> {
  const command = [process.execPath, join(import.meta.dirname, "scale-worker.ts"), ...args, folder];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  if ((await child.exited) !== 0) {
    throw new Error("A worker of the discovery has failed");
  }
  const end: WorkerEnd = JSON.parse(lines.pop() ?? "");
  return { rounds: lines.map((line): Round => JSON.parse(line)), end };
}

function notesOf(sizes: readonly Size[]): string[] {
  const [small, large] = sizes;
  if (small === undefined || large === undefined) {
    return [];
  }
  const moreMb = Math.max(0, large.peakMb - small.peakMb);
  const bytes = (moreMb * 1e6 * workers) / (large.prefixes - small.prefixes);
  const perPrefix = probesOf(large) / large.prefixes;
  const hours = (perPrefix * routedPrefixes) / agentProbesPerSec / 3600;
  const share = large.found / large.there;
  const linksEach = (large.found * sampleEvery) / large.prefixes;
  return [
    `The simulator answers ${simulatorSpeed(large.prefixes).toFixed(1)} million probes/s of one core; its time is ` +
      "left out above.",
    `Four times the prefixes take ${(secOf(large) / secOf(small)).toFixed(2)} times as long, and ` +
      `${(cpuSecOf(large) / cpuSecOf(small)).toFixed(2)} times the CPU, which other work changes less.`,
    `${(probesOf(large) / cpuSecOf(large)).toFixed(0)} probes for each second of a core.`,
    `${bytes.toFixed(0)} bytes of memory more for each prefix more (at most 64 are allowed). A worker holds the ` +
      "replies of one unit, the probes of 64 and two buffers of 1 MiB, and nothing of a prefix between " +
      "rounds; a gateway holds 17 bytes for each routed prefix: 16 of its address, one of its length.",
    `On disk ${(8 * perPrefix).toFixed(0)} bytes a prefix in the end: 8 for each reply. ` +
      "A gateway has them in its column store.",
    `By simulation, ${(100 * share).toFixed(2)} % of the links to routers of a prefix's own were found, counted in ` +
      `one unit of ${sampleEvery}: ${linksEach.toFixed(1)} links a prefix, ${perPrefix.toFixed(1)} probes.`,
    `On paper, all ${routedPrefixes.toLocaleString("en")} routed /24s from ${agents} agents of ` +
      `${agentProbesPerSec.toLocaleString("en")} probes/s each: ` +
      `${(hours / agents).toFixed(1)} h when the agents share the prefixes, ` +
      `${hours.toFixed(1)} h when each agent probes all of them. ` +
      `${((linksEach * routedPrefixes) / 1e6).toFixed(0)} million links are found from one place of such a network.`,
    "Published runs: Diamond-Miner all of IPv4 in 2.5 days at 100,000/s; FlashRoute one path to each /24 in 17 " +
      "minutes; Zeph 10 million links in 6 hours of 5 agents. Those are of the Internet; this network is drawn with " +
      `${linksEach.toFixed(1)} links a prefix, so only hours compare.`,
  ];
}

/** Million probes for each second of processor time, in a network of so many prefixes. */
function simulatorSpeed(prefixes: number): number {
  const plan = threeLevels(1, { units: Math.ceil(prefixes / subnetsEach) });
  const conditions = { seed: 1, probesPerSec: agentProbesPerSec, roundGapSec: 1 };
  const net = new SimulatedNet(new LevelledInternet(plan, 2 ** 31), conditions);
  const probes = Math.min(5_000_000, 10 * prefixes);
  const before = process.cpuUsage();
  for (let i = 0; i < probes; i++) {
    net.probe(hash32(1, i, 0) % prefixes, i & 7, 1 + (i % 24));
  }
  const { user, system } = process.cpuUsage(before);
  return probes / (user + system);
}
