/** What every page must be: readable for all, in the light, in the dark, on a small phone. */
import { expect } from "bun:test";
import { looks, type Tab } from "./tab.ts";

export async function mustBeReadable(tab: Tab): Promise<void> {
  for (const look of [looks.light, { scheme: "dark", widthPx: 320 } as const]) {
    await tab.look(look);
    expect(await tab.violations()).toEqual([]);
    // Wider than the screen = it has to be pushed from side to side.
    expect(await tab.eval<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(look.widthPx);
  }
  await tab.look(looks.light);
}
