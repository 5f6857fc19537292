/** Counts for the sentences and labels of pictures. Pure. */

/** `1,234,567`: a whole number of at least 0. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 row`, `1,234 rows`; `plural` is its ending: `1 AS`, `2 ASes`. */
export function counted(count: number, noun: string, plural = "s"): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : plural}`;
}
