/** Sorts millions of numbers in short steps, where the engine's own sort would block its thread for seconds. */
import type { Steps } from "./steps.ts";

type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Numbers that the engine sorts at once, in some 5 ms; also the size of a merge step. */
const runLength = 8192;

/** Ascending by `compare`; without it by size, which is faster. The input array is overwritten. */
export function* mergeSorted<Values extends Numbers>(
  values: Values,
  compare?: (a: number, b: number) => number,
): Steps<Values> {
  const { length } = values;
  const other = new (values.constructor as new (length: number) => Values)(length);
  for (let at = 0; at < length; at += runLength) {
    values.subarray(at, at + runLength).sort(compare);
    yield;
  }
  const isAfter = compare === undefined ? (a: number, b: number) => a > b : isBehind(compare);
  let isSwapped = false;
  for (let width = runLength; width < length; width *= 2) {
    for (let low = 0; low < length; low += 2 * width) {
      const runs = [low, Math.min(low + width, length), Math.min(low + 2 * width, length)] as const;
      yield* isSwapped ? merge(other, values, runs, isAfter) : merge(values, other, runs, isAfter);
    }
    isSwapped = !isSwapped;
  }
  return isSwapped ? other : values;
}

function isBehind(compare: (a: number, b: number) => number) {
  return (a: number, b: number) => compare(a, b) > 0;
}

/** Merges two sorted runs, from `low` to `middle` and from there to `high`. */
function* merge(
  from: Numbers,
  to: Numbers,
  [low, middle, high]: readonly [number, number, number],
  isAfter: (a: number, b: number) => boolean,
): Steps<void> {
  let [left, right] = [low, middle];
  for (let at = low; at < high; at++) {
    const a = from[left] ?? 0;
    const b = from[right] ?? 0;
    const isRight = left >= middle || (right < high && isAfter(a, b));
    to[at] = isRight ? b : a;
    if (isRight) {
      right++;
    } else {
      left++;
    }
    if (at % runLength === 0) {
      yield;
    }
  }
}
