/** Which of the agents that a user asks for take part, and why the others do not. */
import { Problem } from "../../../lib/http/problem.ts";
import { type Address, familyOf, formatAddress, parseAddress } from "../../../lib/ip/address.ts";
import { recordProbesOf, slowestRate } from "../../../lib/probing/record-probes.ts";
import { mayUseSource } from "../../../lib/probing/source-check.ts";
import type { Target } from "../../../lib/submission/targets.ts";
import type { EligibleAgent } from "../agents/agent-directory.ts";
import type { ChosenAgents, Selection } from "./choose-agents.ts";
import type { RequestedTarget } from "./requested-target.ts";
import { hasFallenSilent, whyNot } from "./who-can-probe.ts";

interface Rejected {
  readonly id: string;
  readonly ip_address: string | null;
  readonly reason: string;
}

export interface Assignment {
  /** As they were asked for, in that order; empty = nobody can take part. */
  readonly targets: readonly Target[];
  readonly rejected: readonly Rejected[];
  /** What selectors have chosen; those agents are among the targets. */
  readonly selections: readonly Selection[];
  /** Nobody can, and one that was asked for has reported before, but not lately. */
  readonly isSilent: boolean;
  readonly recordProbes: number;
  /** Packets/s of the slowest instance, by agent. */
  readonly rates: ReadonlyMap<string, number>;
}

/** Throws Problem: 400 for an invalid target, 403 for a source that is not the user's. */
export function assign({ requested, agents, selections }: ChosenAgents, userId: number): Assignment {
  const wanted = readTargets(requested);
  for (const { agent, source } of wanted) {
    checkSource(source, agents.get(agent) ?? null, userId);
  }
  const targets = wanted.filter((target) => whyNot(target, agents.get(target.agent)) === null);
  const rejected = wanted.flatMap((target) => rejection(target, agents.get(target.agent)));
  const rates = new Map(targets.map(({ agent }) => [agent, slowestRate(agents.get(agent)?.config ?? null)]));
  const isSilent = targets.length === 0 && wanted.some(({ agent }) => hasFallenSilent(agents.get(agent)));
  return {
    targets,
    rejected,
    selections,
    isSilent,
    rates,
    recordProbes: recordProbesOf([...rates.values()]),
  };
}

function readTargets(requested: readonly RequestedTarget[]): Target[] {
  const seen = new Set<string>();
  return requested.map(({ id, ip_address: text }) => {
    const source = text === null || text === "" ? null : parseAddress(text);
    if (source === null && text !== null && text !== "") {
      throw invalid(`Invalid IP address for agent '${shown(id)}': ${shown(text)}`);
    }
    const name = `${source === null ? "" : formatAddress(source)} ${id}`;
    if (seen.has(name)) {
      throw invalid(`Agent '${shown(id)}' is given twice with the same source`);
    }
    seen.add(name);
    return { agent: id, source };
  });
}

/** Unknown agents, and agents without a configuration, have no known prefix: see whyNot. */
function checkSource(source: Address | null, agent: EligibleAgent | null, userId: number): void {
  if (source === null || agent?.config === null || agent === null) {
    return;
  }
  if (!mayUseSource(source, agent.config, userId)) {
    const where = familyOf(source) === 6 ? "your allocated prefix" : `an IPv4 prefix of agent '${agent.id}'`;
    throw new Problem({
      status: 403,
      code: "source_not_yours",
      message: `IP address ${formatAddress(source)} is not within ${where}`,
    });
  }
}

function rejection(target: Target, agent: EligibleAgent | undefined): Rejected[] {
  const reason = whyNot(target, agent);
  const { agent: id, source } = target;
  return reason === null ? [] : [{ id, ip_address: source && formatAddress(source), reason }];
}

function invalid(message: string): Problem {
  return new Problem({ status: 400, code: "invalid_target", message });
}

const shownCharsMax = 60;

function shown(text: string): string {
  return text.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
}
