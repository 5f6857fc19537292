/** Number of probes in a record: what its slowest agent sends in 10 s, so that stopping never takes longer. */
import type { AgentInstance } from "./agent-config.ts";

const recordSeconds = 10;

/** Packets/s of an agent that does not state its rate: that of existing agents. */
export const rateDefaultProbesPerSec = 100;

/** The rate of an agent's slowest instance: the sending instance depends on source and family of each probe. */
export function slowestRate(instances: readonly AgentInstance[] | null): number {
  const rates = (instances ?? []).map(({ probing_rate }) => probing_rate).filter((rate) => rate > 0);
  return rates.length === 0 ? rateDefaultProbesPerSec : Math.min(...rates);
}

export function recordProbesOf(ratesProbesPerSec: readonly number[]): number {
  return Math.max(1, recordSeconds * Math.min(...ratesProbesPerSec));
}
