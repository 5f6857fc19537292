/** The first place whose comparison is not negative, in a list in order. */
export function firstNotBelow(length: number, compare: (i: number) => number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(middle) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
