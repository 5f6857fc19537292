/** A small cache by key: parsing patterns and zones is expensive, and users choose both. */

/** Caches `make` for the last `max` keys. Exceptions are not cached. */
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
