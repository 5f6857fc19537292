/**
 * `vantage policy-generator --standby`: a second process, which does the generator's work while that gives no sign of
 * life, and stops when it is back. Without it the policy that BIRD has would be its policy until somebody starts the
 * generator again, and leases that have ended since would go on: BIRD has no clock that a policy could end by.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../lib/observe/log.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** What does the generator's work from its `start` until it is disposed of. */
export interface Deputy extends AsyncDisposable {
  start(): Promise<void>;
}

export interface StandbyParts {
  /** Of the generator. */
  readonly heartbeat: Heartbeat;
  /** By which the generator sees that somebody stands by. */
  readonly own: Heartbeat;
  readonly afterMs: number;
  readonly lookMs: number;
  /** A fresh one for each time, which knows what the generator has left. */
  readonly makeDeputy: () => Deputy;
  readonly log: Logger;
}

/** Until the signal. What cannot be done is tried again at the next look. */
export async function standBy(parts: StandbyParts, signal: AbortSignal): Promise<void> {
  const { lookMs, log } = parts;
  let deputy: Deputy | null = null;
  while (!signal.aborted) {
    try {
      deputy = await look(parts, deputy);
    } catch (error) {
      log.error("Cannot stand by; tries again", { error });
    }
    await pause(lookMs, null, { signal }).catch(() => undefined);
  }
  await deputy?.[Symbol.asyncDispose]();
}

async function look(parts: StandbyParts, deputy: Deputy | null): Promise<Deputy | null> {
  const { heartbeat, own, afterMs, makeDeputy, log } = parts;
  await own.beat();
  const silentMs = await heartbeat.ageMs();
  if (deputy !== null && silentMs < afterMs) {
    log.warn("The policy generator is back; stands by again");
    await deputy[Symbol.asyncDispose]();
    return null;
  }
  if (deputy !== null || silentMs < afterMs) {
    return deputy;
  }
  log.error("The policy generator gives no sign of life; does its work", { silent_ms: Math.round(silentMs) });
  const fresh = makeDeputy();
  await fresh.start();
  return fresh;
}
