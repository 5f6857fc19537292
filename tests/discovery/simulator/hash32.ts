/** 32 well mixed bits of three numbers, by MurmurHash3's finalizer: a reproducible random number. */
export function hash32(seed: number, first: number, second: number): number {
  let hash = seed | 0;
  for (const part of [first, second]) {
    hash = Math.imul(hash ^ part, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
