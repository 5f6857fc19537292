/** What every page must be: readable for all, in the light, in the dark, on a small phone, twice as large. */
import { expect } from "bun:test";
import { type Look, looks, type Tab } from "./tab.ts";

const small: Look = { scheme: "dark", widthPx: 320 };

/** `except` names what the rules leave out, by a selector of CSS. */
export async function mustBeReadable(tab: Tab, { except }: { readonly except?: string } = {}): Promise<void> {
  for (const look of [looks.light, small]) {
    await tab.look(look);
    expect(await tab.violations(except)).toEqual([]);
  }
  await mustFit(tab);
}

/** What is wider than the screen has to be pushed from side to side: on a phone, and at 200 % of a usual window. */
export async function mustFit(tab: Tab): Promise<void> {
  for (const look of [small, { ...looks.light, widthPx: 640 }]) {
    await tab.look(look);
    expect(await tab.eval<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(look.widthPx);
  }
  await tab.look(looks.light);
}
