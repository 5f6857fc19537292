/** Runs a strategy on all units of a simulated network, round by round, as a run of a discovery does. */
import type {
  RoundProbe,
  RoundReply,
  Strategy,
  StrategyOptions,
} from "../../../lib/measuring/discovery/strategy.ts";
import { LinkRecord } from "./link-record.ts";
import { shuffle } from "./shuffle.ts";
import type { SimulatedNet } from "./simulated-net.ts";

interface UnitState {
  readonly subnets: readonly number[];
  readonly replies: RoundReply[];
  /** Replies whose routers are noted. */
  noted: number;
  isDone: boolean;
}

/** A strategy that never ends is one that is broken. */
const roundsMax = 1000;

/** Leaves probes, rounds and packets in the network's counters. */
export function discover(net: SimulatedNet, strategy: Strategy, options: StrategyOptions): Set<number> {
  const units = unitsOf(net);
  const record = new LinkRecord();
  const firstUnitOf = new Map<number, number>();
  for (let round = 0; round < roundsMax; round++) {
    const probes = nextRound(units, strategy, options, { round, firstUnitOf });
    if (probes.length === 0) {
      return record.links();
    }
    shuffle(probes, options.seed + round);
    for (const [unit, probe] of probes) {
      const { replies } = units[unit] ?? fail();
      const node = net.probe(probe.subnet, probe.flow, probe.ttl);
      if (node === 0) {
        replies.push({ ...probe, node: null });
        continue;
      }
      record.add(probe.subnet, probe.flow, probe.ttl, node);
      for (let copies = net.copiesOf(node); copies > 0; copies--) {
        replies.push({ ...probe, node });
      }
    }
    net.endRound();
    noteFirst(units, firstUnitOf);
  }
  throw new Error(`${strategy.name} has not ended after ${roundsMax} rounds`);
}

function unitsOf({ topology }: SimulatedNet): UnitState[] {
  const { units, subnetsEach } = topology;
  return Array.from({ length: units }, (_, unit) => ({
    subnets: Array.from({ length: subnetsEach }, (__, i) => unit * subnetsEach + i),
    replies: [],
    noted: 0,
    isDone: false,
  }));
}

function nextRound(
  units: readonly UnitState[],
  strategy: Strategy,
  options: StrategyOptions,
  { round, firstUnitOf }: { readonly round: number; readonly firstUnitOf: ReadonlyMap<number, number> },
): [unit: number, probe: RoundProbe][] {
  return units.flatMap((state, unit) => {
    if (state.isDone) {
      return [];
    }
    const has = (node: number) => (firstUnitOf.get(node) ?? unit) !== unit;
    const seen = strategy.usesSeenNodes ? { seenNodes: { has } } : {};
    const probes = strategy.next(state.replies, { subnets: state.subnets, round, ...seen }, options);
    state.isDone = probes.length === 0;
    return probes.map((probe): [number, RoundProbe] => [unit, probe]);
  });
}

/** Which unit has seen a router first: by round, then by the order of units. */
function noteFirst(units: readonly UnitState[], firstUnitOf: Map<number, number>): void {
  for (const [unit, state] of units.entries()) {
    for (const { node } of state.replies.slice(state.noted)) {
      if (node !== null && !firstUnitOf.has(node)) {
        firstUnitOf.set(node, unit);
      }
    }
    state.noted = state.replies.length;
  }
}

function fail(): never {
  throw new Error("A probe of a unit that is not there");
}
