/** What figures were made on, and what else the machine did: model, kernel, commit, load. */
import { readFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";

/** More than this share of the CPU in use by others spoils a figure. */
const busyShareMax = 0.15;
const sampleMs = 500;
const lookAgainMs = 2000;

/** Ticks since the start of the machine, summed over its cores: `cpu` of proc(5) stat. */
interface CpuTicks {
  readonly busy: number;
  readonly stolen: number;
  readonly all: number;
}

interface MachineLoad {
  readonly averages: readonly number[];
  /** Busy share of the CPU in the half second before. */
  readonly busyShare: number;
  readonly ticks: CpuTicks;
}

/**
 * Looks for half a second. The load average alone would not do: it still rises from the bench before, and hides for
 * a minute what has just begun.
 */
async function lookAtLoad(): Promise<MachineLoad> {
  const before = cpuTicks();
  await Bun.sleep(sampleMs);
  const ticks = cpuTicks();
  const busyShare = (ticks.busy - before.busy) / Math.max(1, ticks.all - before.all);
  return { averages: loadavg(), busyShare, ticks };
}

export function isBusy({ busyShare }: MachineLoad): boolean {
  return busyShare > busyShareMax;
}

/** Resolves when others use little of the CPU, or after `waitMs` with what they use then. */
export async function calmLoad(waitMs: number): Promise<MachineLoad> {
  const untilMs = performance.now() + waitMs;
  let load = await lookAtLoad();
  while (isBusy(load) && performance.now() < untilMs) {
    await Bun.sleep(lookAgainMs);
    load = await lookAtLoad();
  }
  return load;
}

export function loudWarning(load: MachineLoad): string {
  const stars = "*".repeat(100);
  return `${stars}\nTHE MACHINE IS BUSY: ${loadText(load)}. The figures will say little.\n${stars}\n`;
}

/** As `2 x AMD EPYC, Linux 6.18.1`. */
export function machineText(): string {
  const cores = cpus();
  return `${cores.length} x ${cores[0]?.model.trim() ?? "CPU"}, Linux ${release().split("-")[0]}`;
}

export function loadText({ averages, busyShare }: MachineLoad): string {
  const shown = averages.map((average) => average.toFixed(2)).join(" ");
  return `load average ${shown}, ${Math.round(100 * busyShare)} % of the CPU in use`;
}

/** What a virtual machine's host has taken for others since then. */
export function stolenText({ ticks }: MachineLoad): string {
  const now = cpuTicks();
  const share = (now.stolen - ticks.stolen) / Math.max(1, now.all - ticks.all);
  return `${(100 * share).toFixed(1)} % of the CPU stolen`;
}

/** As `abc1234`, with what differs from it but the page of figures itself. */
export function commitText(page: string): string {
  const commit = git("rev-parse", "--short", "HEAD");
  const changed = git("status", "--porcelain", "--", ".", `:!${page}`);
  return changed === "" ? commit : `${commit} with changes`;
}

function git(...args: readonly string[]): string {
  const cwd = `${import.meta.dirname}/../..`;
  const { stdout, exitCode } = Bun.spawnSync(["git", ...args], { cwd, stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : "unknown";
}

function cpuTicks(): CpuTicks {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + softirq + stolen;
  return { busy, stolen, all: busy + idle + wait };
}
