/** Puts things into an order by chance, the same for the same seed (Fisher and Yates). */
import { hash32 } from "./hash32.ts";

export function shuffle<Item>(items: Item[], seed: number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const other = hash32(seed, i, 0) % (i + 1);
    const [one, two] = [items[i], items[other]];
    if (one !== undefined && two !== undefined) {
      items[i] = two;
      items[other] = one;
    }
  }
}
