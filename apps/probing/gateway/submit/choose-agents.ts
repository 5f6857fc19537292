/**
 * Chooses agents by a request's selectors (lib/measuring/probing/agent-selector.ts) from those that match and can take
 * part now. Agents that are also named count once; a selector's number excludes them.
 */
import { randomInt } from "node:crypto";
import type { InferOutput } from "valibot";
import type { selectionAnswer } from "../../../../lib/base/api/measurements.ts";
import { listed } from "../../../../lib/base/failure/listed.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { targetsMax } from "../../../../lib/engines/submission/limits.ts";
import {
  type AgentSelector,
  drawn,
  matchesSelector,
  readSelector,
  selectableValues,
} from "../../../../lib/measuring/probing/agent-selector.ts";
import type { AgentDirectory, EligibleAgent } from "../agents/agent-directory.ts";
import type { Reachability } from "../agents/reachability.ts";
import { selectorsMax, valuesShownMax } from "../limits.ts";
import type { RequestedTarget } from "./requested-target.ts";
import { checkReachability, hasFallenSilent, type Needs, whyNot, whyUnsendable } from "./who-can-probe.ts";

export type Selection = Readonly<InferOutput<typeof selectionAnswer>>;

export interface ChosenAgents {
  /** Agents only, in the order of the request. */
  readonly requested: readonly RequestedTarget[];
  readonly agents: ReadonlyMap<string, EligibleAgent>;
  readonly selections: readonly Selection[];
}

type Entry = { readonly target: RequestedTarget } | { readonly selector: AgentSelector };

interface ChoiceServices {
  readonly agents: Pick<AgentDirectory, "eligible">;
  readonly reachability: Received;
}

type Received = Pick<Reachability, "forMs">;

/** Why an agent cannot send the probes of this request; null = it can. */
type WhyNot = (agent: EligibleAgent) => string | null;

/** Throws Problem 400 for a selector that too few agents match; 503 while agents could not report. */
export async function chooseAgents(
  { agents: directory, reachability }: ChoiceServices,
  targets: readonly RequestedTarget[],
  needs: Needs,
): Promise<ChosenAgents> {
  const entries = targets.map(entryOf);
  const selectors = entries.flatMap((entry) => ("selector" in entry ? [entry.selector] : []));
  const named = new Set(entries.flatMap((entry) => ("target" in entry ? [entry.target.id] : [])));
  if (selectors.length === 0) {
    return { requested: targets, agents: await directory.eligible([...named]), selections: [] };
  }
  if (selectors.length > selectorsMax) {
    throw problem(
      422,
      "too_many_targets",
      `${selectors.length} selectors are more than ${selectorsMax}: name agents instead`,
    );
  }
  const agents = await directory.eligible();
  const why: WhyNot = (agent) =>
    whyNot({ source: null }, agent) ?? whyUnsendable({ agent: agent.id, source: null }, agent, needs);
  const chosen = choices(selectors, [...agents.values()], named, { why, received: reachability });
  const requested = entries.flatMap((entry) =>
    "target" in entry ? [entry.target] : (chosen.get(entry.selector)?.agents ?? []).map(agentAlone),
  );
  if (requested.length > targetsMax) {
    throw problem(
      422,
      "too_many_targets",
      `${requested.length} agents are more than ${targetsMax}: choose fewer, as ${targetsMax}@any`,
    );
  }
  const selections = selectors.flatMap((selector) => chosen.get(selector) ?? []);
  return { requested, agents, selections };
}

function entryOf(target: RequestedTarget): Entry {
  const read = readSelector(target.id);
  if (read.kind === "none") {
    return { target };
  }
  if (read.kind === "bad") {
    throw problem(400, "invalid_target", `"${target.id}" ${read.reason}`);
  }
  if (target.ip_address !== null && target.ip_address !== "") {
    throw problem(
      400,
      "invalid_target",
      `"${target.id}" takes no source: each agent that it chooses has its own`,
    );
  }
  return { selector: read.selector };
}

interface Moment {
  readonly why: WhyNot;
  readonly received: Received;
}

/** Selectors of all matching agents are first, so that those with a number choose other agents. */
function choices(
  selectors: readonly AgentSelector[],
  agents: readonly EligibleAgent[],
  named: ReadonlySet<string>,
  moment: Moment,
): Map<AgentSelector, Selection> {
  const taken = new Set(named);
  const byNeed = selectors.toSorted((a, b) => Number(a.count !== null) - Number(b.count !== null));
  const chosen = new Map<AgentSelector, Selection>();
  for (const selector of byNeed) {
    const selection = choice(selector, agents, taken, moment);
    chosen.set(selector, selection);
    for (const id of selection.agents) {
      taken.add(id);
    }
  }
  return chosen;
}

function choice(
  selector: AgentSelector,
  agents: readonly EligibleAgent[],
  taken: ReadonlySet<string>,
  { why, received }: Moment,
): Selection {
  const matching = agents.filter((agent) => matchesSelector(agent, selector));
  const able = matching.filter((agent) => why(agent) === null);
  const isSilent = matching.some(hasFallenSilent);
  if (able.length === 0) {
    checkReachability(isSilent, received);
    throw unmet(selector, matching.length === 0 ? nobodyMatches(selector, agents) : noneCan(matching, why));
  }
  const free = able.filter(({ id }) => !taken.has(id));
  const { text, count } = selector;
  if (count !== null && free.length < count) {
    checkReachability(isSilent, received);
    throw unmet(selector, tooFew(count, free, matching.length));
  }
  const ids = free.map(({ id }) => id);
  return {
    selector: text,
    agents: count === null ? ids : drawn(ids, count, (n) => randomInt(n)).sort(),
    matching: matching.length,
  };
}

function agentAlone(id: string): RequestedTarget {
  return { id, ip_address: null };
}

const whatAgentsHave = {
  any: "agents",
  tag: "tags",
  as: "AS numbers",
  country: "countries",
  place: "places",
} as const;

function nobodyMatches(selector: AgentSelector, agents: readonly EligibleAgent[]): string {
  const what = whatAgentsHave[selector.kind];
  const values = selectableValues(agents, selector);
  if (selector.kind === "any") {
    return "there are no agents";
  }
  const known =
    values.length === 0
      ? `no agent has ${what}`
      : `${what} that agents have: ${listed(values, valuesShownMax)}`;
  return `no agent matches it; ${known}`;
}

function noneCan(matching: readonly EligibleAgent[], why: WhyNot): string {
  const reasons = matching.map((agent) => `${agent.id} (${why(agent)})`);
  return `no agent that matches it can take part now: ${listed(reasons, valuesShownMax)}`;
}

function tooFew(count: number, free: readonly EligibleAgent[], matching: number): string {
  const ids = free.map(({ id }) => id);
  const asked = count === 1 ? "1 agent" : `${count} agents`;
  const able = ids.length === 0 ? "no other" : ids.length;
  const which = ids.length === 0 ? "" : `: ${listed(ids, valuesShownMax)}`;
  return `it requests ${asked}, and ${able} of ${matching} that match can take part now${which}`;
}

function unmet({ text }: AgentSelector, reason: string): Problem {
  const message = `Cannot choose agents by ${text}: ${reason}`;
  return new Problem({ status: 400, code: "selector_unmet", message, extra: { selector: text } });
}
