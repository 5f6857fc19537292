/** In order, each of at most so many; none of nothing. */
export function slices<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / sizeMax) }, (_, n) =>
    items.slice(n * sizeMax, (n + 1) * sizeMax),
  );
}
