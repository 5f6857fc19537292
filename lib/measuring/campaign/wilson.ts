/** Confidence interval of a counted share: Wilson's score interval. */

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard deviations of an interval that holds the true value 95 times of 100. */
const z = 1.96;

/**
 * (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), p = hits / all: 3 of 20 give 0.0524 to 0.3604, and 0 of 20 give
 * 0 to 0.1611. Nothing counted gives 0 to 1 (E. B. Wilson, JASA 1927).
 */
export function wilson(hits: number, all: number): Interval {
  if (all === 0) {
    return { low: 0, high: 1 };
  }
  const share = hits / all;
  const middle = share + z ** 2 / (2 * all);
  const reach = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const scale = 1 + z ** 2 / all;
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}
