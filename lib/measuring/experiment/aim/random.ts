/** Random numbers from a seed, so that each gateway that continues a plan draws the same. Pure. */

/** From 0 to below 1. */
export type Random = () => number;

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** From 0 to below `count`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}
