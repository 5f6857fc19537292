/** Which of the requested agents take part, and why the others do not. */
import type { rejectedAgent } from "../../../../lib/base/api/measurements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { recordProbesForQueue } from "../../../../lib/engines/submission/queue-records.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { recordProbesOf, slowestRate } from "../../../../lib/measuring/probing/record-probes.ts";
import { mayUseSource } from "../../../../lib/measuring/probing/source-check.ts";
import { type Address, familyOf, formatAddress } from "../../../../lib/net/ip/address.ts";
import { readAddress } from "../../../../lib/net/ip/typed-address.ts";
import type { EligibleAgent } from "../agents/agent-directory.ts";
import type { ChosenAgents, Selection } from "./choose-agents.ts";
import type { RequestedTarget } from "./requested-target.ts";
import { hasFallenSilent, type Needs, whyNot, whyUnsendable } from "./who-can-probe.ts";

type Rejected = StoredAnswer<typeof rejectedAgent>;

export interface Assignment {
  /** In the order of the request; empty = no agent can take part. */
  readonly targets: readonly Target[];
  readonly rejected: readonly Rejected[];
  /** The selectors' choices; those agents are among the targets. */
  readonly selections: readonly Selection[];
  /** Why the first otherwise available agent cannot send these probes; null = there is none. */
  readonly unsendable: string | null;
  /** None can, and one of the requested agents has reported before, but not lately. */
  readonly isSilent: boolean;
  readonly recordProbes: number;
  /** Packets/s of the slowest instance, by agent. */
  readonly rates: ReadonlyMap<string, number>;
}

interface Asked extends Needs {
  readonly userId: number;
  readonly probes: number;
}

/** Throws Problem: 400 for an invalid target, 403 for a source that isn't the user's. */
export function assign(
  { requested, agents, selections }: ChosenAgents,
  { userId, probes, ...needs }: Asked,
): Assignment {
  const wanted = readTargets(requested);
  for (const { agent, source } of wanted) {
    checkSource(source, agents.get(agent) ?? null, userId);
  }
  const judged = wanted.map((target) => judge(target, agents.get(target.agent), needs));
  const targets = judged.filter(({ reason }) => reason === null).map(({ target }) => target);
  const rejected = judged.flatMap(rejection);
  const unsendable = judged.find(({ isUnsendable }) => isUnsendable)?.reason ?? null;
  const rates = ratesOf(targets, agents);
  const isSilent = targets.length === 0 && wanted.some(({ agent }) => hasFallenSilent(agents.get(agent)));
  const recordProbes = recordProbesFor(targets, agents, probes);
  return { targets, rejected, selections, unsendable, isSilent, rates, recordProbes };
}

/** More probes for the agents of an open measurement, whose permission was checked at its start. */
export function assignOpen(
  targets: readonly Target[],
  agents: ReadonlyMap<string, EligibleAgent>,
  { probes, ...needs }: Omit<Asked, "userId">,
): Assignment {
  const recordProbes = recordProbesFor(targets, agents, probes);
  const judged = targets.map((target) => judge(target, agents.get(target.agent), needs));
  const unsendable = judged.find(({ isUnsendable }) => isUnsendable);
  if (unsendable !== undefined) {
    throw cannotSend([unsendable].flatMap(rejection));
  }
  const rates = ratesOf(targets, agents);
  return { targets, rejected: [], selections: [], unsendable: null, isSilent: false, rates, recordProbes };
}

/** What agents send in 10 s, or more where the queue of an existing agent cannot hold so many records. */
function recordProbesFor(
  targets: readonly Target[],
  agents: ReadonlyMap<string, EligibleAgent>,
  probes: number,
): number {
  const byRate = recordProbesOf([...ratesOf(targets, agents).values()]);
  const isAnyExisting = targets.some(({ agent }) => agents.get(agent)?.isExisting === true);
  return isAnyExisting ? Math.max(byRate, recordProbesForQueue(probes, targets)) : byRate;
}

/** Problem 400. */
export function cannotSend(rejected: readonly Rejected[]): Problem {
  const [first] = rejected;
  return new Problem({
    status: 400,
    code: "cannot_send",
    message: `Agent '${first?.id}' cannot send these probes: ${first?.reason}`,
    extra: { rejected },
  });
}

function ratesOf(targets: readonly Target[], agents: ReadonlyMap<string, EligibleAgent>) {
  return new Map(targets.map(({ agent }) => [agent, slowestRate(agents.get(agent)?.config ?? null)]));
}

function readTargets(requested: readonly RequestedTarget[]): Target[] {
  const seen = new Set<string>();
  return requested.map(({ id, ip_address: text }) => {
    const read = text === null || text === "" ? null : readAddress(text);
    if (read?.ok === false) {
      const hint = /^is not/.test(read.reason) ? "" : `, which ${read.reason}`;
      throw invalid(`Invalid IP address for agent '${shown(id)}': ${shown(text ?? "")}${hint}`);
    }
    const source = read?.value ?? null;
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
    throw problem(403, "source_not_yours", `IP address ${formatAddress(source)} is not within ${where}`);
  }
}

interface Judged {
  readonly target: Target;
  /** Null = it takes part. */
  readonly reason: string | null;
  /** It could take part, with other probes. */
  readonly isUnsendable: boolean;
}

function judge(target: Target, agent: EligibleAgent | undefined, needs: Needs): Judged {
  const unable = whyNot(target, agent);
  const unsendable = unable === null && agent !== undefined ? whyUnsendable(target, agent, needs) : null;
  return { target, reason: unable ?? unsendable, isUnsendable: unsendable !== null };
}

function rejection({ target: { agent: id, source }, reason }: Judged): Rejected[] {
  return reason === null ? [] : [{ id, ip_address: source && formatAddress(source), reason }];
}

function invalid(message: string): Problem {
  return problem(400, "invalid_target", message);
}

const shownCharsMax = 60;

function shown(text: string): string {
  return text.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
}
