/** Durations as people write them: `90s`, `30m`, `12h`, `2d`. */

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds; null for anything else. */
export function durationMsOf(text: string): number | null {
  const [, digits, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * (unitMs[unit] ?? 0);
}
