/** Numbers for people. Pure. */

const barColumns = 24;
const withCommas = new Intl.NumberFormat("en-US");

/** `1,234,567`. */
export function grouped(number: number): string {
  return withCommas.format(number);
}

/** `part` is from 0 to 1. */
export function progressBar(part: number): string {
  const full = Math.floor(Math.min(1, Math.max(0, part)) * barColumns);
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `${"█".repeat(full)}${"░".repeat(barColumns - full)} ${percent}`;
}
