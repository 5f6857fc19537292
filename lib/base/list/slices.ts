/** A list in parts of `sizeMax` items, in order; the last may be shorter, and an empty list has no part. */
export function slices<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / sizeMax) }, (_, n) =>
    items.slice(n * sizeMax, (n + 1) * sizeMax),
  );
}
