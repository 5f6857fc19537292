/** Numbers for people. Pure. */

const barColumns = 24;
const withCommas = new Intl.NumberFormat("en-US");

/** `1,234,567`. */
export function grouped(number: number): string {
  return withCommas.format(number);
}

/** `1 row`, `1,234 rows`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `12.3 MB`, in powers of 1000. */
export function sizeText(bytes: number): string {
  const power = Math.min(sizeUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${sizeUnits[power]}`;
}

const sizeUnits = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `part` is from 0 to 1. */
export function progressBar(part: number): string {
  const full = Math.floor(Math.min(1, Math.max(0, part)) * barColumns);
  const percent = `${Math.floor(part * 100)} %`.padStart(5);
  return `${"█".repeat(full)}${"░".repeat(barColumns - full)} ${percent}`;
}
