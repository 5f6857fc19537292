/**
 * Network namespaces by name: made, configured, entered and removed with iproute2.
 *
 * Names are `vlab<pid>x<n>-<node>`: two runs live side by side, and what a killed run left is found by its dead
 * pid. `ip netns` keeps the names as files in one folder.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import type { Subprocess } from "bun";
import { saidBy } from "../run/said.ts";

export const namespaceFolder = "/run/netns";
const namePattern = /^vlab(\d+)x\d+-/;
let prefixesGiven = 0;

/** A path under /proc/sys/net, and what is written there. */
export type Setting = readonly [path: string, value: string];

export const forwarding: readonly Setting[] = [
  ["ipv4/ip_forward", "1"],
  ["ipv6/conf/all/forwarding", "1"],
];

/** What the names of one lab's namespaces start with; another for each call. */
export function namespacePrefix(): string {
  return `vlab${process.pid}x${++prefixesGiven}-`;
}

/** A command of the lab that failed; the message carries what it said. */
export class LabError extends Error {
  override readonly name = "LabError";
}

const running = new Set<Subprocess>();

/** Kills the commands that `run` started and waits for their end. */
export async function endRunningCommands(): Promise<void> {
  for (const command of running) {
    command.kill("SIGKILL");
  }
  await Promise.all([...running].map((command) => command.exited));
}

/** Runs a command to its end; throws LabError with its first complaint when it fails. */
export async function run(command: readonly string[], stdin = ""): Promise<string> {
  const child = Bun.spawn([...command], { stdin: Buffer.from(stdin), stdout: "pipe", stderr: "pipe" });
  running.add(child);
  const { stdout, stderr, exitCode } = await saidBy(child);
  running.delete(child);
  if (exitCode !== 0) {
    throw new LabError(`Cannot run "${command.join(" ")}": ${stderr.trim() || `exit code ${exitCode}`}`);
  }
  return stdout;
}

/** Runs lines of iproute2; with the flags `-n`, namespace inside of one. */
export async function ipBatch(commands: readonly string[], ...flags: string[]): Promise<void> {
  await run(["ip", ...flags, "-batch", "-"], commands.map((command) => `${command}\n`).join(""));
}

/** The command line that runs `command` inside a namespace and ends with the process that started it. */
export function inNamespace(namespace: string, command: readonly string[]): string[] {
  return ["setpriv", "--pdeathsig", "KILL", "ip", "netns", "exec", namespace, ...command];
}

/** Writes settings under /proc/sys/net of a namespace; an optional one that is absent is left out. */
export async function writeSettings(
  namespace: string,
  required: readonly Setting[],
  optional: readonly Setting[],
): Promise<void> {
  const lines = [
    "set -e; cd /proc/sys/net",
    ...required.map(([path, value]) => `echo "${value}" > ${path}`),
    ...optional.map(([path, value]) => `[ ! -w ${path} ] || echo "${value}" > ${path} || true`),
  ];
  await run(inNamespace(namespace, ["sh", "-c", lines.join("\n")]));
}

/** Processes that are in one of these namespaces. */
export function processesIn(namespaces: readonly string[]): number[] {
  const inodes = new Set(namespaces.map((name) => inodeOf(`${namespaceFolder}/${name}`)));
  inodes.delete(0);
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && inodes.has(inodeOf(`/proc/${entry}/ns/net`)))
    .map(Number);
}

/** 0 when there is no such file, or it is not ours to see. */
function inodeOf(path: string): number {
  try {
    return statSync(path).ino;
  } catch {
    return 0;
  }
}

/** Ends what runs inside and removes the namespaces, at once: for exit handlers too, which cannot wait. */
export function removeNamespaces(namespaces: readonly string[]): void {
  const present = namespaces.filter((name) => existsSync(`${namespaceFolder}/${name}`));
  if (present.length === 0) {
    return;
  }
  for (const pid of processesIn(present)) {
    endProcess(pid);
  }
  const batch = present.map((name) => `netns del ${name}\n`).join("");
  Bun.spawnSync(["ip", "-force", "-batch", "-"], {
    stdin: Buffer.from(batch),
    stdout: "ignore",
    stderr: "ignore",
  });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Removes namespaces of runs whose process is dead. */
export function removeStaleNamespaces(): void {
  if (!existsSync(namespaceFolder)) {
    return;
  }
  const stale = readdirSync(namespaceFolder).filter((name) => {
    const owner = namePattern.exec(name)?.[1];
    return owner !== undefined && !existsSync(`/proc/${owner}`);
  });
  removeNamespaces(stale);
}
