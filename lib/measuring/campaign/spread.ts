/**
 * When an agent starts within a run: its own offset in the spread, the same in each run, so that its runs are evenly
 * spaced, and a run does not reach its targets as a burst.
 */
import { createHash } from "node:crypto";
import { spreadSecDefaultMax } from "./limits.ts";

/**
 * Milliseconds after the planned time, from 0 to below `spreadMs`: floor(spread x H / 2^64), H = SHA-256 of both names.
 */
export function agentOffsetMs(campaignId: string, agentId: string, spreadMs: number): number {
  const hash = createHash("sha256").update(`${campaignId}\n${agentId}`).digest().readBigUInt64BE(0);
  return Number((BigInt(spreadMs) * hash) >> 64n);
}

/** Half of the interval, at most 400 s. */
export function spreadSecDefault(everySec: number): number {
  return Math.min(Math.floor(everySec / 2), spreadSecDefaultMax);
}
