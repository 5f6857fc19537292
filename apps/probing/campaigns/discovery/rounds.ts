/**
 * A discovery's rounds as steps of a run: a computation cuts the next round into parts, each a measurement of one agent
 * whose probe lines are generated when it starts; a wait for replies follows, and the computation of the round after
 * it.
 *
 * A part is a range of units. Each unit is in only one part of a round, and its next probes depend on replies received
 * before the cut-off time, which is written into the journal with the parts. So parts can be generated again after a
 * kill, in any process, and no probe is in two of them. Between rounds only the journal is kept: probes and replies are
 * in the column store.
 */
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { inTurns, type Pace } from "../../../../lib/engines/http/pace.ts";
import type { StepGiven, StepWork } from "../../../../lib/measuring/campaign/run-steps.ts";
import type { PrefixSet } from "../../../../lib/measuring/discovery/prefix-set.ts";
import { strategies } from "../../../../lib/measuring/discovery/strategies.ts";
import type { StrategyOptions } from "../../../../lib/measuring/discovery/strategy.ts";
import { Permutation } from "../../../../lib/measuring/probing/permutation.ts";
import { familyOf } from "../../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../../lib/net/wire/probe-line.ts";
import type { Step, StepPlace } from "../journal.ts";
import { type DiscoverySpec, specOf } from "./discover-fields.ts";
import { FirstRounds, probesPerSubnet } from "./forecast.ts";
import { allowedSubnets } from "./left-out.ts";
import { agentsMax, partProbesMax, partsOfRunMax } from "./limits.ts";
import { LinkCount } from "./link-count.ts";
import { type Part, PartCutter, type Range, sideBySide } from "./parts.ts";
import type { RoundMeasure, RoundNote } from "./round-measure.ts";
import { agentId, decideShares, shareOf } from "./shares.ts";
import { optionsOf } from "./strategy-of-spec.ts";
import { readTargets } from "./target-list.ts";
import { byUnit, type UnitRound, unitRound } from "./unit-round.ts";
import { addressOfFlow, lastOf, type Unit, UnitTable } from "./units.ts";

export const roundRule = "discovery-round";
export const partRule = "discovery-part";
export const answersWord = "discovery-answers";

/** Prefix of the reason of a run that its budget ended. */
export const budgetUsedUp = "budget used up";

interface Round {
  readonly spec: DiscoverySpec;
  readonly options: StrategyOptions;
  readonly table: UnitTable;
  /** From 1. */
  readonly number: number;
  /** Cut-off: only replies received before it count. */
  readonly cutMs: number;
  readonly before: readonly string[];
}

/** From target lines. Throws RangeError for a bad line, and beyond limits. */
export async function unitsOf(
  targets: string,
  spec: Pick<DiscoverySpec, "subnet_ipv4" | "subnet_ipv6">,
  pace: Pace = new LoopYield(),
): Promise<UnitTable> {
  return await UnitTable.of(await inTurns(readTargets(targets), pace), lengthsOf(spec), pace);
}

export function lengthsOf(spec: Pick<DiscoverySpec, "subnet_ipv4" | "subnet_ipv6">) {
  return { ipv4: spec.subnet_ipv4, ipv6: spec.subnet_ipv6 };
}

/** A step's round over its units. Throws RangeError for data that another version has written. */
export function roundOf({ given, before }: Pick<Step, "given" | "before">, table: UnitTable): Round {
  const spec = specOf(given);
  const number = Number(given?.round ?? 1);
  const cutMs = Number(given?.cut_ms ?? Date.now());
  return { spec, options: optionsOf(spec), table, number, cutMs, before };
}

/** A sample probe, by which agents are chosen. */
export function firstLine(spec: DiscoverySpec, table: UnitTable): string {
  const { dst } = addressOfFlow(table.at(0), { subnet: 0, flow: 0 });
  const protocol = spec.protocol === "icmp" && familyOf(dst) === 6 ? "icmpv6" : spec.protocol;
  const ports = { srcPort: spec.src_port, dstPort: spec.dst_port };
  return formatProbeLine({ dst, protocol, ttl: spec.ttl_min, ...ports });
}

/** An agent's probes to a unit that is not its own: none. */
const nothing: Pick<UnitRound, "probes" | "routers"> = { probes: [], routers: new Map() };

function isOf(share: PrefixSet | null, { index }: Unit): boolean {
  return share === null || share.has(index);
}

/** The next probes of a range's units, one after another; `links` counts all of their known links. */
export async function* nextProbes(
  measure: RoundMeasure,
  round: Round,
  { agent, first, last, share }: Range,
  links: LinkCount | null = null,
): AsyncGenerator<UnitRound, void, undefined> {
  const { spec, options, table, number, cutMs, before } = round;
  const strategy = strategies[spec.strategy];
  const allowed = await measure.allowed();
  const order = { strategy, options, round: number - 1, srcPort: spec.src_port, allowed };
  const turn = new LoopYield();
  if (last < first) {
    return;
  }
  if (number === 1) {
    // Nothing is known yet, so nothing is read, also for other parts of the round: units are in random order.
    const draw = new Permutation(table.size, spec.seed);
    for (let at = first; at <= last; at++) {
      const unit = table.at(draw.at(at));
      yield isOf(share, unit) ? unitRound(unit, [], order) : { unit, ...nothing };
      await turn.next();
    }
    return;
  }
  const rows = measure.asked(before, {
    agent: agentId(agent),
    first: table.at(first).base,
    last: lastOf(table.at(last)),
    untilMs: cutMs,
    withFirst: order.strategy.usesSeenNodes,
  });
  for await (const [unit, own] of byUnit(range(table, first, last), rows)) {
    for (const row of links === null ? [] : own) {
      links?.add(row);
    }
    yield isOf(share, unit) ? unitRound(unit, own, order) : { unit, ...nothing };
    await turn.next();
  }
}

function* range(table: UnitTable, first: number, last: number): Generator<Unit> {
  for (let at = first; at <= last; at++) {
    yield table.at(at);
  }
}

interface Plan {
  readonly parts: readonly Part[];
  readonly note: Omit<RoundNote, "round">;
}

/** The parts of a round. Each agent has the same share of the budget, in whole units. */
async function planOf(
  measure: RoundMeasure,
  round: Round,
  { place, agents, budget }: { place: StepPlace; agents: readonly string[]; budget: number },
): Promise<Plan> {
  const links = new LinkCount();
  const parts: Part[] = [];
  let units = 0;
  for (const agent of agents) {
    const cutter = new PartCutter(agent, partSize(round), Math.floor(budget / agents.length));
    const share = await sharesOf(measure, place, round.spec, agent);
    for await (const probes of probeCounts(measure, round, { agent, share }, links)) {
      cutter.add(probes);
    }
    parts.push(...cutter.parts());
    units += cutter.units;
  }
  const probes = parts.reduce((sum, part) => sum + part.probes, 0);
  return { parts, note: { probes, units, links: links.links, nodes: links.nodes } };
}

/** The probes of all units, in the order of the round. The first round of units of one size has as many probes. */
async function* probeCounts(
  measure: RoundMeasure,
  round: Round,
  { agent, share }: Pick<Range, "agent" | "share">,
  links: LinkCount,
): AsyncGenerator<number, void, undefined> {
  const { table, spec, number } = round;
  if (number > 1) {
    const all = { agent, share, first: 0, last: table.size - 1 };
    for await (const { probes } of nextProbes(measure, round, all, links)) {
      yield probes.length;
    }
    return;
  }
  const firsts = new FirstRounds(spec);
  const allowed = await measure.allowed();
  const draw = new Permutation(table.size, spec.seed);
  const turn = new LoopYield();
  for (let at = 0; at < table.size; at++) {
    const unit = table.at(draw.at(at));
    yield isOf(share, unit) ? firsts.probesOf(allowedSubnets(unit, allowed).length) : 0;
    await turn.next();
  }
}

/** Large enough that a run's steps suffice; a part takes less than a day, even if one router replies to all of it. */
function partSize({ spec, table }: Round): number {
  const { part_probes: probes, router_rate: routerRate, rate } = spec;
  const enough = Math.ceil((table.subnets * probesPerSubnet[spec.strategy]) / partsOfRunMax);
  return Math.min(Math.max(probes, enough), partProbesMax, 80_000 * Math.min(routerRate, rate));
}

interface RoundContext {
  readonly measure: RoundMeasure;
  /** Agents that could take part now, each as in a query. */
  readonly agents: () => Promise<readonly string[]>;
}

interface RoundSteps {
  readonly works: readonly StepWork[];
  readonly reason?: string;
}

/** A round's steps, and the next computation; none when no unit needs more, or a limit is reached, with the reason. */
export async function roundSteps({ measure, agents: find }: RoundContext, step: Step): Promise<RoundSteps> {
  // The cut-off is now: it is journaled with the parts, or nothing has been done yet.
  const cut = { before: step.before, given: { ...step.given, cut_ms: Date.now() } };
  const round = roundOf(cut, await measure.units(step));
  const given: StepGiven = { ...step.given };
  const known = String(given.agents ?? "");
  const agents = known === "" ? await whoBegins(measure, step, round, await find()) : known.split(",");
  const spent = Number(given.spent ?? 0);
  // After the last round its results are counted, and nothing follows.
  const isOver = round.number > round.spec.rounds_max;
  const budget = isOver ? 0 : round.spec.probes_max - spent;
  const { parts, note } = await planOf(measure, round, { place: step, agents, budget });
  await measure.note(step, { round: round.number, ...note });
  if (parts.length === 0) {
    return note.units === 0
      ? { works: [] }
      : { works: [], reason: endedEarly(round, note.units, agents.length) };
  }
  const next = { ...given, agents: agents.join(","), spent: spent + note.probes, round: round.number + 1 };
  const shared = { ...given, round: round.number, cut_ms: round.cutMs };
  const works: StepWork[] = [
    ...sideBySide(parts).map(({ part: { agent, first, last }, isBeside }): StepWork => {
      const own = { ...shared, agent, first, last };
      return { kind: "measure", agents: agent, probes: null, rule: partRule, given: own, isBeside };
    }),
    { kind: "wait", until: answersWord, given: { settle: round.spec.settle } },
    { kind: "compute", rule: roundRule, given: next },
  ];
  return { works };
}

/** The limit, and what is unfinished. */
function endedEarly({ spec, table, number }: Round, units: number, agents: number): string {
  const each = spec.budget_prefixes === 0 ? table.size : Math.min(spec.budget_prefixes, table.size);
  const limit =
    number > spec.rounds_max
      ? `rounds used up (rounds_max ${spec.rounds_max})`
      : `${budgetUsedUp} (probes_max ${spec.probes_max})`;
  const all = agents === 1 ? "prefixes are" : `prefixes, of ${agents} agents together, are`;
  return `${limit}: ${units} of ${each * agents} ${all} unfinished`;
}

/** A run's agents. With a prefix budget, each has a share from here on. */
async function whoBegins(
  measure: RoundMeasure,
  place: StepPlace,
  { spec, table, cutMs }: Round,
  found: readonly string[],
): Promise<readonly string[]> {
  const agents = found.slice(0, agentsMax);
  const { budget_prefixes: budgetPrefixes } = spec;
  return budgetPrefixes === 0
    ? agents
    : await decideShares(measure, place, { table, agents, budgetPrefixes, untilMs: cutMs });
}

/** Null = all units are the agent's. */
export async function sharesOf(
  measure: RoundMeasure,
  place: StepPlace,
  spec: DiscoverySpec,
  agent: string,
): Promise<PrefixSet | null> {
  return spec.budget_prefixes === 0 ? null : await shareOf(measure, place, agent);
}
