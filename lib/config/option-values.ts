/** Values of options as people write them; a wrong one throws UsageError, which names the option and what would fit. */
import { UsageError } from "./command-line.ts";

const shownCharsMax = 60;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Text of a user's in quotes, cut to a readable length, without what could drive a terminal. */
export function quoted(text: string): string {
  const cut = text.slice(0, shownCharsMax).replaceAll(/[^ -~]/g, "?");
  return `"${cut}${text.length > shownCharsMax ? "…" : ""}"`;
}

export function choiceOf<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) {
    throw new UsageError(`${option} ${quoted(text)}: give one of ${choices.join(", ")}`);
  }
  return choice;
}

/** Decimal digits only. */
export function numberOf(option: string, text: string, [low, high]: readonly [number, number]): number {
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < low || value > high) {
    throw new UsageError(`${option} ${quoted(text)}: give a number from ${low} to ${high}`);
  }
  return value;
}

/** Milliseconds of `90s`, `30m`, `12h` or `2d`; null for anything else. */
export function durationMsOf(text: string): number | null {
  const [, digits, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * (unitMs[unit] ?? 0);
}

/** Milliseconds since the epoch of a time of RFC 3339, or of a duration ago. */
export function timeMsOf(option: string, text: string, nowMs: number): number {
  const durationMs = durationMsOf(text);
  const timeMs = durationMs === null ? Date.parse(text) : nowMs - durationMs;
  if (!Number.isFinite(timeMs)) {
    throw new UsageError(`${option} ${quoted(text)}: give a time, as 30m, 2d or 2026-01-31T12:00:00Z`);
  }
  return timeMs;
}
