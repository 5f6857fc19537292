/** Peak memory of the client and of an agent in a dry run, while the same lines stream through both, to the end. */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { agentGroup, probesTopic } from "../../../lib/wire/target-header.ts";
import { AgentRig } from "../../lab/agent-rig.ts";
import { LabError } from "../../lab/namespaces.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

const linesDefault = 10_000_000;
const limitMb = 300;
const lookEveryMs = 50;
const vantage = join(import.meta.dirname, "../../../apps/vantage.ts");

const client = "vantage client";
const agent = "vantage agent, dry run";
const reference = "limit";

/** What one process needed. */
interface Need {
  readonly peakMb: number;
  readonly probesPerSec: number;
}

/** Lines and log are made in `folder`, some 90 bytes a line together. Throws when a process fails. */
export async function benchMemory(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? linesDefault;
  const lines = join(folder, "probes.csv");
  await writeLines(lines, count);
  const peaks = new Map<string, number[]>([
    [client, []],
    [agent, []],
    [reference, [limitMb]],
  ]);
  const rates: string[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await AgentRig.open(null);
    for (const [name, measure] of [[client, measureClient] as const, [agent, measureAgent] as const]) {
      const { peakMb, probesPerSec } = await measure(rig, lines, count);
      peaks.get(name)?.push(peakMb);
      rates.push(`round ${round}, ${name}: ${Math.round(probesPerSec).toLocaleString("en")} probes/s`);
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "memory",
    what: `Peak resident memory for ${count} probe lines, median of ${options.rounds} rounds`,
    subjects: [client, agent, reference],
    references: [reference],
    figures: [{ unit: "MB", decimals: 0, rounds: peaks }],
    notes: [...rates, `Embedded broker; ${availableParallelism()} x ${cpus()[0]?.model ?? "CPU"}.`],
  };
}

/** By the command that people use; 16 lines an address. */
async function writeLines(path: string, count: number): Promise<void> {
  const addresses = Math.ceil(count / 16);
  const prefix = `10.0.0.0/${32 - Math.ceil(Math.log2(addresses))}`;
  const args = [
    "probes",
    "--no-shuffle",
    "--per-prefix",
    String(addresses),
    "--seed",
    "1",
    "--ttl",
    "1-16",
    prefix,
  ];
  const child = Bun.spawn([process.execPath, vantage, ...args], {
    stdout: Bun.file(path),
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) {
    throw new LabError("Cannot write probe lines");
  }
}

async function measureClient(rig: AgentRig, lines: string, count: number): Promise<Need> {
  const config = join(rig.folder, "client.yaml");
  writeFileSync(config, JSON.stringify({ kafka: { brokers: rig.brokerAddress } }));
  const startedAtMs = performance.now();
  const child = Bun.spawn([process.execPath, vantage, "client", "-c", config, "-p", lines, "dry"], {
    stdout: "ignore",
    stderr: "inherit",
  });
  let peakMb = 0;
  while (child.exitCode === null) {
    peakMb = Math.max(peakMb, peakMbOf(child.pid));
    await Bun.sleep(lookEveryMs);
  }
  if (child.exitCode !== 0) {
    throw new LabError(`The client failed with exit code ${child.exitCode}`);
  }
  return { peakMb, probesPerSec: (1000 * count) / (performance.now() - startedAtMs) };
}

async function measureAgent(rig: AgentRig, _lines: string, count: number): Promise<Need> {
  const prober = {
    dry_run: true,
    interface: "lo",
    src_ipv4_prefix: "192.0.2.0/24",
    probing_rate: 10_000_000,
  };
  const startedAtMs = performance.now();
  const running = await rig.start("", "dry", { prober: [prober] }, freePort());
  while (!(await hasTakenAll(rig))) {
    await Bun.sleep(lookEveryMs);
  }
  const probesPerSec = (1000 * count) / (performance.now() - startedAtMs);
  const peakMb = peakMbOf(running.process.pid);
  await running.stop();
  return { peakMb, probesPerSec };
}

function freePort(): number {
  using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  return server.port;
}

async function hasTakenAll({ broker }: AgentRig): Promise<boolean> {
  const positions = await broker.positions(agentGroup("dry"), probesTopic);
  return positions.every(({ committed, end }) => committed === end);
}

/** The most that the process has ever had; 0 once it is gone. */
function peakMbOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return (1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0)) / 1e6;
  } catch {
    return 0;
  }
}
