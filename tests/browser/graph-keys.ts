/** Graphs by keys: on a screen, and on a phone, where a row for each TTL is below the one before. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { looks, type Tab } from "./tab.ts";

/** On a page with the paths of the scene. */
export async function checkGraphKeys(tab: Tab): Promise<void> {
  await until("the script", () => tab.eval<boolean>("document.readyState === 'complete'"));
  const focused = () => tab.eval<string>("document.activeElement.dataset?.label ?? ''");
  await tab.eval("document.querySelector('.node[tabindex=\"0\"]').focus()");
  expect(await focused()).toBe("west");
  await tab.press("ArrowRight");
  expect(await focused()).toBe("198.51.100.1");
  await tab.press("Enter");
  expect(await tab.text("#graph-right")).toStartWith("TTL 1: 198.51.100.1, AS64501, 20 of 20 flows");
  await tab.press("Escape");
  expect(await tab.text("#graph-right")).toBe("");
  await tab.press("End");
  expect(await focused()).toBe("203.0.113.9");
  const ofTtl2 = `document.querySelectorAll('[data-graph=right] .node[data-ttl="2"]').length`;
  expect(await tab.eval<number>(ofTtl2)).toBe(12);
  await tab.eval("document.querySelector('.node[data-kind=folded]').focus()");
  await tab.press("Enter");
  await until("all routers", () => tab.eval<boolean>(`${ofTtl2} === 16`));
}

export async function checkPhoneGraphs(tab: Tab, paths: readonly string[], url: string): Promise<void> {
  await tab.look(looks.phone);
  for (const path of paths) {
    await tab.go(`${url}console/${path}`);
    const ranks = await tab.eval<[ttl: number, top: number, bottom: number][]>(
      `[...document.querySelectorAll(".node")].filter((one) => one.checkVisibility()).map((one) => {
        const { top, bottom } = one.querySelector(".box").getBoundingClientRect();
        return [Number(one.dataset.ttl), top, bottom];
      })`,
    );
    const ttls = [...new Set(ranks.map(([ttl]) => ttl))].sort((a, b) => a - b);
    expect(ttls.length).toBeGreaterThan(3);
    for (const [ttl, top] of ranks) {
      const above = ranks.filter(([other]) => other < ttl).map(([, , bottom]) => bottom);
      expect(top).toBeGreaterThan(Math.max(Number.NEGATIVE_INFINITY, ...above));
    }
    await tab.eval("document.querySelector('[data-graph=down] .node[tabindex=\"0\"]').focus()");
    await tab.press("ArrowDown");
    expect(await tab.eval<number>("Number(document.activeElement.dataset.ttl)")).toBe(ttls[1] ?? 0);
    await tab.press("Enter");
    expect(await tab.text("#graph-down")).toStartWith(`TTL ${ttls[1]}: `);
  }
  await tab.look(looks.light);
}
