/** How long the executable takes to start, say something and end; and its size. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../../build.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { type Start, startToPacket } from "./first-packet.ts";

const toPacket = "vantage agent, to its first packet";
const ours = ["vantage --version", "vantage --help", "vantage agent --help", toPacket] as const;
/** Those that are on this machine. */
const others = ["bun --version", "node --version", "tcpdump --version", "zmap --version"] as const;

/** Builds it in `folder`. `--count` starts of each subject in a round, one by default. */
export async function benchStart(options: BenchOptions, folder: string): Promise<BenchReport> {
  const executable = join(folder, "vantage");
  await buildExecutable(executable);
  const references = others.filter((command) => Bun.which(command.split(" ")[0] ?? "") !== null);
  const subjects = [...ours, ...references];
  const starts = new Map<string, Start[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round <= options.rounds; round++) {
    for (const subject of subjects) {
      for (let i = 0; i < (options.count ?? 1); i++) {
        const start =
          subject === toPacket
            ? await startToPacket(executable)
            : await startOnce(subject.replace("vantage", executable));
        // The first round brings files into memory, and is not counted.
        starts.get(subject)?.push(...(round === 0 ? [] : [start]));
      }
    }
  }
  const figure = (what: keyof Start) =>
    new Map([...starts].map(([subject, all]) => [subject, all.map((one) => one[what])]));
  return {
    bench: "start",
    what: `From the start of a process to its end, median of ${options.rounds} rounds`,
    subjects,
    references,
    figures: [
      { unit: "ms", decimals: 1, rounds: figure("elapsedMs") },
      { unit: "CPU ms", decimals: 1, rounds: figure("cpuMs") },
    ],
    notes: [
      `vantage has ${Math.round(statSync(executable).size / 1e6)} MB.`,
      "The first packet of an agent: until it has come, on loopback; embedded broker, the record is there before.",
    ],
  };
}

/** In an empty environment but for PATH. Throws when it fails. */
async function startOnce(command: string): Promise<Start> {
  const startedAt = performance.now();
  const child = Bun.spawn(command.split(" "), {
    ...{ env: { PATH: process.env.PATH }, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  const exitCode = await child.exited;
  const elapsedMs = performance.now() - startedAt;
  if (exitCode !== 0) {
    throw new Error(`Cannot measure "${command}": exit code ${exitCode}`);
  }
  return { elapsedMs, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 };
}
