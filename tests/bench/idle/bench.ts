/**
 * What an agent takes that has nothing to do: one instance, a broker that is there, no probes and no answers.
 *
 * It has a network namespace of its own: on the machine's loopback, every packet of another program would wake it.
 */
import { readFileSync } from "node:fs";
import { AgentRig } from "../../lab/agent-rig.ts";
import { Internet } from "../../lab/internet.ts";
import type { Topology } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import { usageByName } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";

const secondsDefault = 30;
/**
 * What it compiles at its start is not what it takes from then on, and Bun collects each second until the heap has had
 * the same size for half a minute; from then on, each half minute.
 */
const settleMs = 60_000;
const cpuLimitPercent = 1;
const memoryLimitMb = 120;
/** As configured by default; the tests' agents look more often. */
const kafka = { out_batch_wait_time: 1000, out_batch_wait_interval: 100 };
const prober = [{ interface: "lo", src_ipv4_prefix: "127.0.0.1/32" }];
const node = "alone";
const alone: Topology = { nodes: [{ name: node, role: "vantage", id: 101 }], links: [] };

const subject = "vantage agent";
const reference = "limit";

/** `--count` is the length of the look in seconds; before it the agent runs for 60 s, twice as long if that is less. */
export async function benchIdle(options: BenchOptions): Promise<BenchReport> {
  const seconds = options.count ?? secondsDefault;
  const cpu: number[] = [];
  const memory: number[] = [];
  await using net = await Internet.start(alone);
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await AgentRig.open(net);
    const agent = await rig.start(node, "idle", { kafka, prober }, 0);
    await Bun.sleep(Math.min(settleMs, 2 * seconds * 1000));
    const before = cpuSecOf(agent.process.pid);
    await Bun.sleep(seconds * 1000);
    cpu.push((100 * (cpuSecOf(agent.process.pid) - before)) / seconds);
    memory.push(residentMb(agent.process.pid));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "idle",
    what: `An agent without work, over ${seconds} s, median of ${options.rounds} rounds`,
    subjects: [subject, reference],
    references: [reference],
    figures: [
      { unit: "% of a core", decimals: 2, rounds: figureOf(cpu, cpuLimitPercent) },
      { unit: "MB", decimals: 0, rounds: figureOf(memory, memoryLimitMb) },
    ],
    notes: [
      `Embedded broker; a network namespace of its own; from ${settleMs / 1000} s after the start on.`,
      "Resident memory, the program's pages in the page cache included.",
    ],
  };
}

function figureOf(ours: readonly number[], limit: number): Map<string, readonly number[]> {
  return new Map([
    [subject, ours],
    [reference, [limit]],
  ]);
}

function cpuSecOf(pid: number): number {
  return usageByName(pid, { agent: "agent" }).get("agent")?.cpuSec ?? 0;
}

function residentMb(pid: number): number {
  const kb = Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  return (1024 * kb) / 1e6;
}
