/** The changed keys of a configuration that need a restart. Pure. */
import type { AgentConfig } from "./config/config.ts";

/** Top-level keys of the file, and `prober` for changes other than rate and source prefixes. */
export function restartKeys(before: AgentConfig, after: AgentConfig): string[] {
  const [was, is] = [fixedPart(before), fixedPart(after)];
  return Object.entries(is).flatMap(([key, text]) => (was[key] === text ? [] : [key]));
}

function fixedPart(config: AgentConfig): Readonly<Record<string, string>> {
  const { probers, broker, gateway, ...rest } = config;
  const {
    blocklistFile: _block,
    allowlistFile: _allow,
    blocksReservedRanges: _reserved,
    hostLimits: _host,
    ...agent
  } = rest;
  const fixed = probers.map(({ rateProbesPerSec: _rate, prefixes: _prefixes, ...prober }) => prober);
  return {
    agent: JSON.stringify(agent),
    prober: JSON.stringify(fixed),
    kafka: JSON.stringify(broker),
    gateway: JSON.stringify(gateway),
  };
}
