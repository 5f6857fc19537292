/** Strategies of discovery beside other tools on the same simulated networks: links found, and what they cost. */
import { hasOlderVersions } from "../../contract/store/older/older-store.ts";
import { networks } from "../../discovery/simulator/networks.ts";
import { linksOf } from "../../discovery/simulator/topology.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { type Contender, contenders } from "./contenders.ts";
import { PublishedLibrary } from "./published.ts";

/** With the usual five rounds 30 networks of each kind. */
const seedsEach = 6;
/** Kinds with `--count`, which is for a look at whether all works. */
const kindsFew = 2;

interface Outcome {
  readonly sharePercent: number;
  readonly probes: number;
  readonly probesPerLink: number;
  /** Beside the first contender's, on the same network. */
  readonly perLinkRatio: number;
  readonly rounds: number;
  readonly busiest: number;
}

/** Each round is six networks of each kind, by seed; with `--count` routed prefixes each, one of the first kinds. */
export async function benchDiscovery(options: BenchOptions, _folder: string): Promise<BenchReport> {
  const seeds = options.rounds * (options.count === null ? seedsEach : 1);
  await using published = hasOlderVersions ? await PublishedLibrary.start() : null;
  const all = contenders(published);
  const outcomes = new Map<string, Outcome[]>();
  const sizes = new Map<string, number[]>();
  const kinds = Object.entries(networks).slice(0, options.count === null ? undefined : kindsFew);
  for (const [kind, { make }] of kinds) {
    for (let seed = 1; seed <= seeds; seed++) {
      const truth = truthOf(make(seed, options.count ?? undefined));
      sizes.set(kind, [...(sizes.get(kind) ?? []), truth.size]);
      let first: Outcome | null = null;
      for (const contender of all) {
        const net = make(seed, options.count ?? undefined);
        const outcome = await outcomeOf(contender, net, seed, truth, first);
        first ??= outcome;
        const subject = `${kind}: ${contender.name}`;
        outcomes.set(subject, [...(outcomes.get(subject) ?? []), outcome]);
      }
    }
    process.stderr.write(`${kind}: ${seeds} networks done\n`);
  }
  return report(outcomes, sizes, seeds, all[0]?.name ?? "");
}

function truthOf(net: ReturnType<(typeof networks)[string]["make"]>): Set<number> {
  return linksOf(net.topology, (node) => net.answers(node));
}

async function outcomeOf(
  contender: Contender,
  net: ReturnType<(typeof networks)[string]["make"]>,
  seed: number,
  truth: ReadonlySet<number>,
  first: Outcome | null,
): Promise<Outcome> {
  const found = await contender.run(net, seed);
  const right = [...found].filter((link) => truth.has(link)).length;
  if (right < found.size) {
    throw new Error(`${contender.name} found ${found.size - right} links that are not there`);
  }
  const probesPerLink = net.probes / right;
  return {
    sharePercent: (100 * right) / truth.size,
    probes: net.probes,
    probesPerLink,
    perLinkRatio: first === null ? 1 : probesPerLink / first.probesPerLink,
    rounds: net.rounds,
    busiest: net.busiest,
  };
}

function report(
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
  sizes: ReadonlyMap<string, readonly number[]>,
  seeds: number,
  first: string,
): BenchReport {
  const figure = (unit: string, decimals: number, value: (outcome: Outcome) => number) => ({
    unit,
    decimals,
    rounds: new Map([...outcomes].map(([subject, each]) => [subject, each.map(value)])),
  });
  return {
    bench: "discovery",
    what: `Links of simulated networks, found with usual options, median of ${seeds} networks of each kind`,
    subjects: [...outcomes.keys()],
    references: [],
    columnsMax: 6,
    figures: [
      figure("% of the links", 2, ({ sharePercent }) => sharePercent),
      figure("probes", 0, ({ probes }) => probes),
      figure("probes/link", 1, ({ probesPerLink }) => probesPerLink),
      figure(`of ${first}'s`, 2, ({ perLinkRatio }) => perLinkRatio),
      figure("rounds", 0, ({ rounds }) => rounds),
      figure("probes at the busiest router", 0, ({ busiest }) => busiest),
    ],
    notes: [
      ...[...sizes].map(([kind, each]) => {
        const mean = each.reduce((sum, links) => sum + links, 0) / each.length;
        return `${kind}: ${networks[kind]?.what}; ${mean.toFixed(0)} links on average.`;
      }),
      "No false links were found. Links are those of the drawing whose routers answer.",
      hasOlderVersions
        ? "diamond-miner 1.1.8 is the published library, as Iris drives it: 32 TTLs, adaptive confidence, 10 rounds."
        : "Without the published library of diamond-miner, whose store could not be had: ours with 32 TTLs is first.",
      "Yarrp (TTLs to 16, fill mode) and FlashRoute (split at 16, gap limit 5) are their rules, written anew.",
    ],
  };
}
