/** Whether the agent's host lets it send now: paused by the host, outside its hours, or at its limit of a day. Pure. */
import { nextAllowedMs, parseHours } from "./host-hours.ts";

/** The host's own limits, from the agent's file; null = none. */
export interface HostLimits {
  /** Frames, with their Ethernet headers. */
  readonly bytesPerDay: number | null;
  /** Packets. */
  readonly probesPerDay: number | null;
  /** As in the file. */
  readonly hours: string | null;
}

export interface HostHold {
  /** Continues the sentence "the agent is": `paused by its host`. */
  readonly words: string;
  readonly sinceMs: number;
  /** Null = until its host resumes it. */
  readonly untilMs: number | null;
}

/** What the agent has sent in a UTC day. */
export interface DayUse {
  readonly packets: number;
  readonly bytes: number;
}

interface Moment {
  readonly limits: HostLimits;
  /** Null = not paused. */
  readonly pausedAtMs: number | null;
  readonly used: DayUse;
  /** What every instance must still be able to send: below that the limit counts as reached. */
  readonly least: DayUse;
  readonly nowMs: number;
}

export const dayMs = 24 * 3600 * 1000;

/** Null = it may send. */
export function hostHold({ limits, pausedAtMs, used, least, nowMs }: Moment): HostHold | null {
  if (pausedAtMs !== null) {
    return { words: "paused by its host", sinceMs: pausedAtMs, untilMs: null };
  }
  const hours = limits.hours === null ? null : parseHours(limits.hours);
  const allowedMs = hours === null ? nowMs : nextAllowedMs(hours, nowMs);
  if (allowedMs > nowMs) {
    const words = `outside its host's hours (${limits.hours} UTC) until ${timeOf(allowedMs)}`;
    return { words, sinceMs: nowMs, untilMs: allowedMs };
  }
  const midnightMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const reached = reachedLimit(limits, used, least);
  return reached === null
    ? null
    : {
        words: `at its host's limit of ${reached} a day until ${timeOf(midnightMs)}`,
        sinceMs: nowMs,
        untilMs: midnightMs,
      };
}

function reachedLimit({ bytesPerDay, probesPerDay }: HostLimits, used: DayUse, least: DayUse): string | null {
  if (probesPerDay !== null && probesPerDay - used.packets < least.packets) {
    return `${probesPerDay.toLocaleString("en")} probes`;
  }
  return bytesPerDay !== null && bytesPerDay - used.bytes < least.bytes
    ? `${bytesPerDay.toLocaleString("en")} bytes`
    : null;
}

/** `2026-11-28 22:00 UTC` */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
