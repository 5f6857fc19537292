/**
 * Traces that agents of a gateway make, beside the same trace from the agents' host itself at the same rate: what the
 * way through gateway, broker and store costs a person who waits. How many results are whole stands beside each time.
 */
import { Internet } from "../../lab/internet.ts";
import { logIn } from "../../lab/login.ts";
import { Pipeline } from "../../lab/pipeline.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { tracePaths, writeTargets } from "./trace-paths.ts";

const probingRate = 5000;
const targetsCountDefault = 200;
const probesPerDay = 2 ** 31;
const agents = ["west", "east"] as const;

interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  readonly tracesCount: number;
}

export async function benchTraceFromAgents(options: BenchOptions, folder: string): Promise<BenchReport> {
  const targetsCount = options.count ?? targetsCountDefault;
  const file = writeTargets(folder, targetsCount);
  const figures = tracePaths.flatMap(({ name }) => [
    { unit: `${name}: s`, decimals: 2, rounds: new Map<string, number[]>() },
    { unit: "whole", decimals: 0, rounds: new Map<string, number[]>() },
  ]);
  const names = new Set<string>();
  for (const [i, { topology }] of tracePaths.entries()) {
    await using net = await Internet.start(topology);
    const own = { probingRate, probesPerDay, isUnicast: true };
    await using pipeline = await Pipeline.start(net, { hasGateway: true, ...own });
    await logIn(pipeline, "anna", () => undefined);
    const subjects = subjectsOf(net, pipeline, file, targetsCount);
    for (let round = 1; round <= options.rounds; round++) {
      for (const subject of subjects) {
        const { elapsedSec, whole } = await timed(subject, pipeline);
        names.add(subject.name);
        add(figures[2 * i]?.rounds, subject.name, elapsedSec);
        add(figures[2 * i + 1]?.rounds, subject.name, whole);
      }
      process.stderr.write(`round ${round} of ${options.rounds}\n`);
    }
  }
  return {
    bench: "trace-from",
    what: `Traces by agents at ${probingRate} probes/s, 8 flows, 2 probes each, median of ${options.rounds} rounds`,
    subjects: [...names],
    references: [...names].filter((name) => name.startsWith("the host")),
    figures,
    notes: [
      "From the start of the command to its end; both agents, gateway, broker and store share the machine's cores.",
      "Whole: complete, and reached. The laboratory's test compares each hop with the drawing.",
    ],
  };
}

/** Rejects when a trace is missing. */
async function timed({ name, command, tracesCount }: Subject, { environment }: Pipeline) {
  const startedAt = performance.now();
  const { stdout, stderr } = await runToEnd([...command], { env: environment });
  const elapsedSec = (performance.now() - startedAt) / 1000;
  const lines = stdout.trimEnd().split("\n");
  if (lines.length !== tracesCount) {
    throw new Error(`${name}: ${lines.length} of ${tracesCount} traces: ${stderr}`);
  }
  return { elapsedSec, whole: lines.filter(isWhole).length };
}

function add(rounds: Map<string, number[]> | undefined, subject: string, value: number): void {
  rounds?.set(subject, [...(rounds.get(subject) ?? []), value]);
}

function subjectsOf(net: Internet, pipeline: Pipeline, file: string, targetsCount: number): Subject[] {
  const usual = ["-q", "2", "-o", "ndjson"];
  const fromAgents = (names: readonly string[], words: readonly string[]) =>
    pipeline.command([...vantageCommand, "trace", "--from", names.join(), ...words, ...usual]);
  const fromHost = (words: readonly string[]) =>
    net.at("west", [...vantageCommand, "trace", "--rate", String(probingRate), ...words, ...usual]);
  const all = ["-f", file];
  const one = ["198.18.0.1"];
  return [
    { name: "one target, one agent", command: fromAgents(["west"], one), tracesCount: 1 },
    { name: "one target, two agents", command: fromAgents(agents, one), tracesCount: 2 },
    { name: "the host: one target", command: fromHost(one), tracesCount: 1 },
    {
      name: `${targetsCount} targets, two agents`,
      ...{ command: fromAgents(agents, all), tracesCount: agents.length * targetsCount },
    },
    { name: `the host: ${targetsCount} targets`, command: fromHost(all), tracesCount: targetsCount },
  ];
}

function isWhole(line: string): boolean {
  const trace: { complete?: boolean; reached?: boolean } = JSON.parse(line);
  return trace.reached === true && trace.complete !== false;
}
