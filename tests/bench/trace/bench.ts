/**
 * What a person waits for: traces on the laboratory's Internet, beside the tools that people use, in turns. Beside each
 * time stands how many of the path's routers were named, so that none is fast by giving up early.
 */
import { join } from "node:path";
import { buildExecutable } from "../../build.ts";
import { Internet } from "../../lab/internet.ts";
import { expectedSteps, identity, nodeNamed } from "../../lab/routing.ts";
import type { Topology } from "../../lab/topology.ts";
import { runToEnd } from "../../run/said.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport, Figure } from "../report.ts";
import { tracePaths } from "./trace-paths.ts";
import { type Tracer, tracersOf } from "./tracers.ts";

const from = "east";
const target = "203.0.113.10";
export async function benchTrace(options: BenchOptions, folder: string): Promise<BenchReport> {
  const executable = join(folder, "vantage");
  await buildExecutable(executable);
  const tracers = tracersOf({ executable, folder, target, targetsCount: options.count ?? 1000 });
  const found = tracers.filter(({ program }) => Bun.which(program) !== null);
  const figures = tracePaths.flatMap(({ name }) => [
    { unit: `${name}: s`, decimals: 2, rounds: new Map<string, number[]>() },
    { unit: "routers named", decimals: 0, rounds: new Map<string, number[]>() },
  ]);
  for (const [i, { topology }] of tracePaths.entries()) {
    await using net = await Internet.start(topology);
    const [seconds, named] = figures.slice(2 * i, 2 * i + 2);
    if (seconds !== undefined && named !== undefined) {
      await trace(net, i === 0 ? found : found.filter((one) => !one.needsReplies), {
        seconds,
        named,
        options,
      });
    }
  }
  const missing = tracers.filter((one) => !found.includes(one)).map(({ program }) => program);
  return {
    bench: "trace",
    what: `Traces over eight hops with two equal branches, median of ${options.rounds} rounds`,
    subjects: found.map(({ name }) => name),
    references: found.filter(({ isOurs }) => !isOurs).map(({ name }) => name),
    figures,
    notes: [
      "From the start of the process to its end. All branches have 9 routers, or 8 that reply; one path has 7, or 6.",
      ...(missing.length === 0 ? [] : [`Not installed: ${[...new Set(missing)].join(", ")}.`]),
    ],
  };
}

interface Course {
  readonly seconds: Figure;
  readonly named: Figure;
  readonly options: BenchOptions;
}

async function trace(net: Internet, tracers: readonly Tracer[], { seconds, named, options }: Course) {
  const routers = routersOf(net.topology);
  // The first round brings files into memory, and is not counted.
  for (let round = 0; round <= options.rounds; round++) {
    for (const { name, command } of tracers) {
      const startedAt = performance.now();
      const { stdout } = await runToEnd(net.at(from, command));
      const elapsedSec = (performance.now() - startedAt) / 1000;
      if (round > 0) {
        add(seconds, name, elapsedSec);
        const addresses = new Set(stdout.match(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g));
        add(named, name, routers.filter((router) => addresses.has(router)).length);
      }
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
}

function add({ rounds }: Figure, subject: string, value: number): void {
  (rounds as Map<string, number[]>).set(subject, [...(rounds.get(subject) ?? []), value]);
}

/** Addresses of all that reply on the way to the target. */
function routersOf(topology: Topology): string[] {
  const nodes = expectedSteps(topology, from, "target").flat();
  return nodes
    .map((name) => nodeNamed(topology, name))
    .filter(({ silent, role }) => silent !== true && role === "router")
    .map((node) => identity(node).v4);
}
