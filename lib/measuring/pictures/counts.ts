/** Counts for the sentences and labels of pictures. Pure. */

/** `1,234,567`: a whole number of at least 0. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
