/** Times and durations for the output of gateway commands. Pure. */

const units: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** `2 d 3 h`, `12 min`, `5 s`: the two largest units, rounded up to a second. */
export function durationInWords(durationMs: number): string {
  let restMs = Math.max(1000, Math.ceil(durationMs / 1000) * 1000);
  const parts: string[] = [];
  for (const [name, unitMs] of units) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0 && parts.length < 2) {
      parts.push(`${count} ${name}`);
    }
  }
  return parts.join(" ");
}

/** `3 min ago`; empty for no time. */
export function agoInWords(time: string | null, nowMs: number): string {
  if (time === null) {
    return "";
  }
  const elapsedMs = nowMs - Date.parse(time);
  const [largest = "0 s"] = durationInWords(elapsedMs).match(/^\d+ \w+/) ?? [];
  return elapsedMs < 1000 ? "now" : `${largest} ago`;
}

/** `2026-01-31 12:00:00`, in UTC; empty for no time. */
export function timeInWords(time: string | null): string {
  return time === null ? "" : new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
