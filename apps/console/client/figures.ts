/** Figures in sentences; as in lib/base/terminal, of which this script has nothing. */

export function counted(count: number, word: string, more = "s"): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : more}`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en");
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "all" : `${Math.ceil((100 * part) / whole)} %`;
}

/** Each day once: 2026-11-28 23:45, 2026-11-29 00:00, 00:15. */
export function timesOf(times: readonly string[]): string {
  const parts = times.map((at) => ({ day: at.slice(0, 10), time: at.slice(11, 16) }));
  return parts.map(({ day, time }, i) => (parts[i - 1]?.day === day ? time : `${day} ${time}`)).join(", ");
}
