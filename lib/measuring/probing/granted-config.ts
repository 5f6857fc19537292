/**
 * The source prefixes that an agent may use: the part of its reported prefixes that its operator has granted.
 *
 * Agents run on other people's hosts and report their own file: 0.0.0.0/0 would claim everyone's source addresses.
 */
import { formatPrefix, type Prefix, prefixContains } from "../../net/ip/prefix.ts";
import { type AgentInstance, type DesiredConfig, sourcePrefix } from "./agent-config.ts";

export interface GrantedConfig {
  /** The posted configuration, each prefix cut to its granted part: null if none of it was granted. */
  readonly config: AgentInstance[];
  /** Prefixes that were not granted completely: each once, host bits cut off. */
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

/** Prefixes in the operator's desired configuration, which are granted with it. */
export function desiredPrefixes(desired: DesiredConfig): Prefix[] {
  const texts = Object.values(desired).flatMap((instance) => fields.map((field) => instance[field] ?? ""));
  return texts.flatMap((text) => sourcePrefix(text) ?? []);
}

/**
 * The prefix that an agent would choose a source from by default although it was not granted completely; null = none.
 * An agent uses the first prefix of each family.
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
