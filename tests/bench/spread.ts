/** Median, minimum and maximum of the rounds of a bench. */
interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws RangeError without values. An even number of values has the mean of the middle two as its median. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  const [min, max] = [sorted[0], sorted[sorted.length - 1]];
  if (low === undefined || high === undefined || min === undefined || max === undefined) {
    throw new RangeError("Cannot take the median of nothing");
  }
  return { median: (low + high) / 2, min, max };
}

/** As `1,234.5`. */
export function shown(value: number, decimals: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
