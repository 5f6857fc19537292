/**
 * `vantage policy-generator --standby`: a second process, which does the generator's work while that one sends no
 * heartbeat, and stops when it is back. Without it BIRD would keep its policy until the generator is restarted,
 * and ended leases would stay: BIRD cannot expire a policy by itself.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** Does the generator's work from `start` until it is disposed. */
interface Deputy extends AsyncDisposable {
  start(): Promise<void>;
}

interface StandbyParts {
  /** Heartbeat of the generator. */
  readonly heartbeat: Heartbeat;
  /** Heartbeat of the standby, which the generator reads. */
  readonly own: Heartbeat;
  readonly afterMs: number;
  readonly lookMs: number;
  /** Makes a new deputy for each takeover, from the generator's files. */
  readonly makeDeputy: () => Deputy;
  readonly log: Logger;
}

/** Runs until the signal. Failures are retried at the next check. */
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
    log.warn("The policy generator is back; standing by again");
    await deputy[Symbol.asyncDispose]();
    return null;
  }
  if (deputy !== null || silentMs < afterMs) {
    return deputy;
  }
  log.error("The policy generator sends no heartbeat; taking over", { silent_ms: Math.round(silentMs) });
  const fresh = makeDeputy();
  await fresh.start();
  return fresh;
}
