/** The nearest known name to a typo: edit distance (Levenshtein) of at most 2, or null. */

const distanceMax = 2;

export function nearest(wrong: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = distanceMax + 1;
  for (const name of names) {
    const distance = distanceOf(name, wrong);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** One row of the table at a time. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
