/** Whether a user may send from an address at an agent. */
import { type Address, familyOf } from "../../net/ip/address.ts";
import { type Prefix, prefixContains } from "../../net/ip/prefix.ts";
import { type AgentInstance, sourcePrefix } from "./agent-config.ts";
import { userPrefix } from "./user-prefix.ts";

/**
 * IPv6: it is in the user's own part of one of the agent's prefixes. IPv4: it is in one of the agent's prefixes, which
 * its users share.
 */
export function mayUseSource(source: Address, instances: readonly AgentInstance[], userId: number): boolean {
  const prefixes = agentPrefixes(instances);
  if (familyOf(source) === 4) {
    return prefixes.some((prefix) => prefixContains(prefix, source));
  }
  return prefixes.some((prefix) => {
    const own = userPrefix(prefix, userId);
    return own !== null && prefixContains(own, source);
  });
}

/** Prefixes of both families, each once, in the order of the instances. */
export function agentPrefixes(instances: readonly AgentInstance[]): Prefix[] {
  const texts = instances.flatMap(({ src_ipv4_prefix, src_ipv6_prefix }) => [
    src_ipv4_prefix,
    src_ipv6_prefix,
  ]);
  return [...new Set(texts)].flatMap((text) => (text === null ? [] : (sourcePrefix(text) ?? [])));
}
