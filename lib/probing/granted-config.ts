/**
 * What an agent may use of the source prefixes that it says it has: the part that its operator has granted.
 *
 * An agent is a host of others, and says what its file says: 0.0.0.0/0 would make it the source of everybody's packets.
 */
import { formatPrefix, type Prefix, prefixContains } from "../ip/prefix.ts";
import { type AgentInstance, type DesiredConfig, sourcePrefix } from "./agent-config.ts";

export interface GrantedConfig {
  /** As it was posted, each prefix cut to what was granted: null when nothing of it was. */
  readonly config: AgentInstance[];
  /** Prefixes that were not granted, or in part only: each once, host bits cut off. */
  readonly pending: string[];
}

const fields = ["src_ipv4_prefix", "src_ipv6_prefix"] as const;

export function grantedConfig(claimed: readonly AgentInstance[], grants: readonly Prefix[]): GrantedConfig {
  const pending = new Set<string>();
  const config = claimed.map((instance) => {
    const cut = { ...instance };
    for (const field of fields) {
      const claim = sourcePrefix(instance[field] ?? "");
      if (claim !== null && !grants.some((grant) => holds(grant, claim))) {
        const part = grants.find((grant) => holds(claim, grant));
        cut[field] = part === undefined ? null : formatPrefix(part);
        pending.add(formatPrefix(claim));
      }
    }
    return cut;
  });
  return { config, pending: [...pending] };
}

/** What an operator wants an agent to send from is granted with it. */
export function desiredPrefixes(desired: DesiredConfig): Prefix[] {
  const texts = Object.values(desired).flatMap((instance) => fields.map((field) => instance[field] ?? ""));
  return texts.flatMap((text) => sourcePrefix(text) ?? []);
}

/**
 * The prefix that an agent chooses a source from, when nobody names one, although it was not granted in whole; null =
 * there is none. An agent takes the first that it has of each family.
 */
export function ungrantedChoice(
  claimed: readonly AgentInstance[],
  granted: readonly AgentInstance[],
): string | null {
  for (const field of fields) {
    const first = claimed.findIndex((instance) => instance[field] !== null);
    const prefix = claimed[first]?.[field] ?? null;
    if (prefix !== null && granted[first]?.[field] !== prefix) {
      return prefix;
    }
  }
  return null;
}

function holds(outer: Prefix, inner: Prefix): boolean {
  return outer.length <= inner.length && prefixContains(outer, inner.base);
}
