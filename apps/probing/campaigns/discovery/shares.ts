/**
 * The units of each agent in a run with a prefix budget per agent: those whose links in the previous run are worth
 * most, and some at random (lib/measuring/discovery/agent-budgets.ts). Decided once, before the first round, and stored
 * beside the journal, so that every later computation of a round or part reads the same.
 */
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { assignPrefixes, type SeenLinks } from "../../../../lib/measuring/discovery/agent-budgets.ts";
import { PrefixSet } from "../../../../lib/measuring/discovery/prefix-set.ts";
import { mix32 } from "../../../../lib/measuring/probing/mixer.ts";
import type { StepPlace } from "../journal.ts";
import { budgetRandomShare, seenLinksMax } from "./limits.ts";
import { LinkReader, linkHash } from "./link-count.ts";
import type { RoundMeasure } from "./round-measure.ts";
import { byUnit } from "./unit-round.ts";
import { lastOf, type UnitTable } from "./units.ts";

interface ShareOrder {
  readonly table: UnitTable;
  /** Possible participants, each as in a query. */
  readonly agents: readonly string[];
  readonly budgetPrefixes: number;
  /** Replies of the previous run that were received before it count. */
  readonly untilMs: number;
}

/** A run's agents by name, each with a share; the first decision is final. */
export async function decideShares(
  measure: RoundMeasure,
  place: StepPlace,
  order: ShareOrder,
): Promise<readonly string[]> {
  const kept = await measure.shares(place, null);
  if (kept.size > 0) {
    return [...kept.keys()].sort();
  }
  const { table, budgetPrefixes } = order;
  const agents = order.agents.toSorted();
  const shares = assignPrefixes(await seenBefore(measure, place, { ...order, agents }), {
    budgets: agents.map(() => budgetPrefixes),
    prefixes: table.size,
    randomShare: budgetRandomShare,
    seed: seedOf(place),
  });
  await measure.keepShares(place, new Map(agents.map((agent, at) => [agent, shares[at]?.bytes ?? none])));
  return [...(await measure.shares(place, null)).keys()].sort();
}

const none = new Uint8Array(0);

/** One agent's share. Throws RangeError when none is stored. */
export async function shareOf(measure: RoundMeasure, place: StepPlace, agent: string): Promise<PrefixSet> {
  const bytes = (await measure.shares(place, agent)).get(agent);
  if (bytes === undefined) {
    throw new RangeError(`No prefixes have been assigned to ${agent} in this run`);
  }
  return new PrefixSet(bytes);
}

/** Links seen by agents in the previous run, by the numbers of agents and units. */
async function seenBefore(
  measure: RoundMeasure,
  place: StepPlace,
  { table, agents, untilMs }: ShareOrder,
): Promise<readonly SeenLinks[]> {
  const ids = await measure.runBefore(place);
  const sample = new SeenSample();
  const turn = new LoopYield();
  for (const [number, agent] of ids.length === 0 ? [] : agents.entries()) {
    const first = table.at(0).base;
    const last = lastOf(table.at(table.size - 1));
    const rows = measure.asked(ids, { agent: agentId(agent), first, last, untilMs, withFirst: false });
    for await (const [unit, own] of byUnit(unitsOf(table), rows)) {
      const reader = new LinkReader();
      const links = new Set(own.flatMap((row) => reader.next(row).links.map(linkHash)));
      if (links.size > 0) {
        sample.add({ agent: number, prefix: unit.index, links: [...links] });
      }
      await turn.next();
    }
  }
  return sample.seen;
}

function* unitsOf(table: UnitTable) {
  for (let at = 0; at < table.size; at++) {
    yield table.at(at);
  }
}

/** The agent of a query: `west:prober` is west. */
export function agentId(query: string): string {
  return query.replace(/:.*/, "");
}

/** When links exceed the memory limit, keeps every second unit, then every fourth, and so on. */
class SeenSample {
  seen: (SeenLinks & { readonly links: readonly number[] })[] = [];
  #every = 1;
  #links = 0;

  add(one: SeenLinks & { readonly links: readonly number[] }): void {
    if (one.prefix % this.#every !== 0) {
      return;
    }
    this.seen.push(one);
    this.#links += one.links.length;
    while (this.#links > seenLinksMax && this.seen.length > 1) {
      this.#every *= 2;
      this.seen = this.seen.filter(({ prefix }) => prefix % this.#every === 0);
      this.#links = this.seen.reduce((sum, { links }) => sum + links.length, 0);
    }
  }
}

function seedOf({ campaign_id: id, run }: StepPlace): number {
  return mix32(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) || 0, run);
}
