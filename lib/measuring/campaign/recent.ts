/** What was made lately, by key: patterns and zones cost much to read, and users choose both. */

/** `make`, which is not called again for the last `max` keys that it was called for. What it throws is not kept. */
export function keepRecent<K, T>(max: number, make: (key: K) => T): (key: K) => T {
  const kept = new Map<K, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make(key);
    for (const oldest of kept.keys()) {
      if (kept.size < max) {
        break;
      }
      kept.delete(oldest);
    }
    kept.set(key, value);
    return value;
  };
}
