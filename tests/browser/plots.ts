/** The plots of a campaign's series: what the cursor reads at each run is the API's; zooming, and what it keeps. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import type { Tab } from "./tab.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** `rows`: of one pair, evenly spaced in time. */
export async function checkPlots(tab: Tab, rows: readonly Row[]): Promise<void> {
  await until("the plot", () => tab.eval<boolean>("document.querySelector('.plot canvas') !== null"));
  for (const [i, row] of rows.entries()) {
    // The first and the last run are at the ends of the axis.
    const ms = (value: unknown) => (value === null ? "–" : `${value} ms`);
    expect(await readAt(tab, i / (rows.length - 1))).toEqual([
      `${String(row.planned_at).slice(0, 19).replace("T", " ")}, run ${row.run}`,
      ...[row.rtt_p90_ms, row.rtt_median_ms, row.rtt_p10_ms].map(ms),
      `${row.loss_percent} %`,
    ]);
  }
  // Zoomed to the first half by dragging, the end of the axis is another run.
  await drag(tab, 0, 0.55);
  expect((await readAt(tab, 1))[0]).toEndWith("run 1");
  await tab.eval(
    `[...document.querySelectorAll(".tools button")].find((one) => one.textContent === "All").click()`,
  );
  expect((await readAt(tab, 1))[0]).toEndWith(`run ${rows.at(-1)?.run}`);
}

const over = "document.querySelector('.plot .u-over')";

/** What the legend says with the cursor at that share of the width. */
async function readAt(tab: Tab, share: number): Promise<string[]> {
  await mouse(tab, "mouseMoved", share);
  return tab.eval("[...document.querySelectorAll('.plot .u-value')].map(({ textContent }) => textContent)");
}

async function drag(tab: Tab, from: number, to: number): Promise<void> {
  await mouse(tab, "mouseMoved", from);
  await mouse(tab, "mousePressed", from);
  await mouse(tab, "mouseMoved", to);
  await mouse(tab, "mouseReleased", to);
}

/** uPlot reads the cursor in the next frame. */
async function mouse(tab: Tab, kind: Parameters<Tab["mouse"]>[0], share: number): Promise<void> {
  const [x = 0, y = 0] = await tab.eval<number[]>(`(() => {
    ${over}.scrollIntoView({ block: "center" });
    const { left, top, width, height } = ${over}.getBoundingClientRect();
    return [left + ${share} * (width - 1), top + height / 2];
  })()`);
  await tab.mouse(kind, x, y);
  await tab.eval(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))",
  );
}
