/** Which agents can take part in a measurement now. */
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { isPlainShape, type ProbeShape } from "../../../../lib/net/packet/probe.ts";
import type { EligibleAgent } from "../agents/agent-directory.ts";
import type { Reachability } from "../agents/reachability.ts";
import { reportGraceMs, retryAfterSeconds } from "../limits.ts";

/** It has reported before, but not lately. */
export function hasFallenSilent(agent: EligibleAgent | undefined): boolean {
  return agent?.hasReported === true && !agent.online;
}

/** Null = it can take part. */
export function whyNot({ source }: Pick<Target, "source">, agent: EligibleAgent | undefined): string | null {
  if (agent === undefined) {
    return "there is no such agent";
  }
  if (!agent.online) {
    return "the agent is offline";
  }
  if (!agent.healthy) {
    return "the agent is not healthy";
  }
  if (agent.paused) {
    return "the agent is paused by its operator";
  }
  if (agent.heldByHost !== null) {
    return `the agent is ${agent.heldByHost}`;
  }
  if (source !== null) {
    return agent.config === null ? "the agent has not reported its sources yet" : null;
  }
  const { ungrantedChoice: prefix } = agent;
  return prefix === null
    ? null
    : `the agent's source prefix ${prefix} was not granted by the platform's operator`;
}

/** What the probes of a measurement need of its agents. */
export interface Needs {
  readonly hasTcp: boolean;
  readonly shape: ProbeShape;
}

/**
 * Why the agent cannot send these probes, as far as the gateway can determine: the measurement would wait for them
 * until it expires. Null = it can.
 *
 * Agents of other software, and those of earlier versions, know no shapes: theirs would be probes without one. Existing
 * agents cannot read records with TCP probes, and drop records without a source in one of their prefixes,
 * unless an instance of theirs has no prefix.
 */
export function whyUnsendable(
  { source }: Target,
  { isExisting, sendsShapes, allowsDns, config }: EligibleAgent,
  { hasTcp, shape }: Needs,
): string | null {
  if (!sendsShapes && !isPlainShape(shape)) {
    return "its program sends no probes with a size, marks or a flow label: upgrade it, or use another agent";
  }
  if (shape.dns !== undefined && allowsDns !== true) {
    return allowsDns === null
      ? "its program sends no DNS probes: upgrade it, or use another agent"
      : "its operator does not allow DNS probes (agent.dns_probes in the agent's configuration): use another agent";
  }
  if (!isExisting) {
    return null;
  }
  if (hasTcp) {
    return "its program sends no TCP probes: use UDP or ICMP, or another agent";
  }
  const hasFreeInstance = (config ?? []).some(
    ({ src_ipv4_prefix, src_ipv6_prefix }) => src_ipv4_prefix === null && src_ipv6_prefix === null,
  );
  return source !== null || config === null || hasFreeInstance
    ? null
    : "its program chooses no source itself: name one in its prefixes, as AGENT:ADDRESS";
}

/**
 * `isSilent`: too few can take part, and one of the others has reported before, but not lately. Throws Problem 503
 * where that may be because agents could not report: the gateway or its database was unavailable.
 */
export function checkReachability(isSilent: boolean, { forMs }: Pick<Reachability, "forMs">): void {
  if (isSilent && forMs < reportGraceMs) {
    throw new Problem({
      status: 503,
      code: "agents_unheard",
      message: `No agent has reported since the gateway or its database is back; try again in ${retryAfterSeconds} s`,
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
}
