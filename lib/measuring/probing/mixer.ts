/** Reproducible randomness: the same input numbers yield the same output. */

/** Mixes two numbers (safe integers) to 32 bits: the finaliser of MurmurHash3 over their 32-bit halves. */
export function mix32(a: number, b: number): number {
  let hash = 0x9e3779b9;
  for (const word of [a >>> 0, a / 2 ** 32, b >>> 0, b / 2 ** 32]) {
    hash = finish(hash ^ word);
  }
  return hash >>> 0;
}

function finish(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) + 0x9e3779b9;
}
