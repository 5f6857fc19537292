/** What a process and its children have used so far, from /proc: CPU time, and the most memory each had at once. */
import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  readonly cpuSec: number;
  /** Peak of the largest single process. */
  readonly peakMb: number;
}

/** USER_HZ, which Linux fixes at 100 for programs. */
const ticksPerSec = 100;

/** The processes of a tree, by what their command line holds: `names` maps a piece of it to the name to use. */
export function usageByName(root: number, names: Readonly<Record<string, string>>): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const pid of treeOf(root)) {
    const commandLine = commandLineOf(pid);
    const name = Object.entries(names).find(([piece]) => commandLine.includes(piece))?.[1];
    if (name !== undefined) {
      const before = usages.get(name) ?? { cpuSec: 0, peakMb: 0 };
      const own = usageOf(pid);
      usages.set(name, {
        cpuSec: before.cpuSec + own.cpuSec,
        peakMb: Math.max(before.peakMb, own.peakMb),
      });
    }
  }
  return usages;
}

/** The process of a tree whose command line holds this piece; null when there is none. */
export function pidOf(root: number, piece: string): number | null {
  return treeOf(root).find((pid) => commandLineOf(pid).includes(piece)) ?? null;
}

function commandLineOf(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

/** proc(5): user and system ticks are fields 14 and 15 of stat; the name in field 2 may hold spaces. */
export function usageOf(pid: number): Usage {
  const fields = readText(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  const cpuSec = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSec;
  return { cpuSec, peakMb: peakKbOf(pid) / 1024 };
}

/** The most memory that a process has had at once; 0 when it has ended. */
export function peakKbOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Neither ended nor a zombie that nobody has asked for yet. */
export function isRunning(pid: number): boolean {
  const state = readText(`/proc/${pid}/stat`).split(") ").at(-1)?.[0];
  return state !== undefined && state !== "" && state !== "Z" && state !== "X";
}

/** A process and all below it, itself first. */
export function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const fields = readText(`/proc/${name}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    parents.set(Number(name), Number(fields[1] ?? 0));
  }
  const tree = [root];
  for (const pid of tree) {
    tree.push(...[...parents].flatMap(([child, parent]) => (parent === pid ? [child] : [])));
  }
  return tree;
}

/** A process may end while it is looked at. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
