/** Options and arguments of the commands for announcements. */
import { wrongUsage } from "../../../lib/command/command-error.ts";
import { duration, kindOf, unfit } from "../../../lib/command/kinds.ts";

const dayMs = 86_400_000;

export const atOption = {
  kind: kindOf("SERVER", "any", (given) =>
    /^[a-z0-9-]{1,100}$/.test(given) ? given : unfit("is not the name of an exchange server, as ixp-1"),
  ),
  multiple: true,
  meaning: "at this exchange server, by its name in the VPN; repeatable; without, at all",
} as const;

export const waitOptions = {
  wait: {
    flag: true,
    default: false,
    short: "w",
    meaning: "until the client stack's daemon has confirmed it",
  },
  timeout: {
    kind: duration(dayMs),
    default: 60_000,
    defaultText: "60s",
    meaning: "with --wait: not for longer",
  },
} as const;

/** A time to come. Throws CommandError `usage`. */
export function timeAfter(durationMs: number | null, nowMs: number): string | null {
  if (durationMs !== null && durationMs < 1000) {
    throw wrongUsage("--for is too short: give 1s or more");
  }
  return durationMs === null ? null : new Date(nowMs + durationMs).toISOString();
}

export function announcementPath(prefix: string): string {
  return `/api/announcements/${encodeURIComponent(prefix)}`;
}
