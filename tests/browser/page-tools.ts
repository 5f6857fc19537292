/** What a reader does with a picture and with a table: the page's own script, against plain oracles. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import type { Tab } from "./tab.ts";

/** On a page with a graph. */
export async function checkPictureTools(tab: Tab): Promise<void> {
  const press = (word: string) => tab.eval(`${button(word)}.click()`);
  const widthPx = () => tab.eval<number>(`${svg}.getBoundingClientRect().width`);
  const wholePx = await widthPx();
  await press("Zoom in");
  expect(await widthPx()).toBeCloseTo(1.25 * wholePx, 1);
  await tab.eval(
    `${scroll}.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, ctrlKey: true, cancelable: true }))`,
  );
  expect(await widthPx()).toBeCloseTo(1.25 * Math.E * wholePx, 0);
  // Without Ctrl, and with the focus elsewhere, the wheel moves the page.
  const wheel = `new WheelEvent("wheel", { deltaY: -300, cancelable: true })`;
  expect(await tab.eval<boolean>(`${scroll}.dispatchEvent(${wheel})`)).toBe(true);
  await press("Fit");
  expect(await widthPx()).toBeLessThanOrEqual(await tab.eval<number>(`${scroll}.clientWidth`));
  expect(await tab.eval<number>(`${scroll}.scrollHeight - ${scroll}.clientHeight`)).toBeLessThanOrEqual(1);
  await checkSearch(tab);
  await checkFiles(tab);
}

const scroll = "document.querySelector('[data-graph]')";
const svg = `${scroll}.querySelector('svg')`;

function button(label: string): string {
  return `document.querySelector('.tools button[aria-label="${label}"]')`;
}

async function checkSearch(tab: Tab): Promise<void> {
  const find = (text: string) =>
    tab.eval<string>(`(() => {
      const field = document.querySelector("figure .tools input");
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event("input"));
      return field.parentElement.querySelector("output").value;
    })()`);
  const drawn = await tab.eval<string[]>(
    `[...${svg}.querySelectorAll(".node")].map(({ ariaLabel }) => ariaLabel)`,
  );
  const meant = drawn.filter((label) => label.includes("as64501"));
  expect(meant).toEqual([]);
  const count = drawn.filter((label) => label.toLowerCase().includes("as64501")).length;
  expect(count).toBeGreaterThan(1);
  expect(await find("as64501")).toBe(`${count} found`);
  expect(await tab.eval<number>(`${svg}.querySelectorAll("[data-found]").length`)).toBe(count);
  expect(await find("192.0.2.77")).toContain("Not drawn");
  await find("");
  expect(await tab.eval<number>(`${svg}.querySelectorAll("[data-found]").length`)).toBe(0);
}

/** The files that the browser is given, instead of its folder of downloads. */
async function checkFiles(tab: Tab): Promise<void> {
  await tab.eval(`saved = [];
    addressOf = URL.createObjectURL;
    URL.createObjectURL = (blob) => { lastBlob = blob; return addressOf.call(URL, blob); };
    HTMLAnchorElement.prototype.click = function () { saved.push([this.download, lastBlob]); }`);
  for (const kind of ["SVG", "PNG"]) {
    await tab.eval(`${button(`Save as ${kind}`)}.click()`);
  }
  await until("both files", () => tab.eval<boolean>("saved.length === 2"));
  const names = await tab.eval<string[]>("saved.map(([name]) => name)");
  expect(names).toEqual([
    expect.stringMatching(/^[a-z0-9-]+\.svg$/),
    expect.stringMatching(/^[a-z0-9-]+\.png$/),
  ]);
  const text = await tab.eval<string>("saved[0][1].text()");
  expect(text).toStartWith("<svg");
  expect(text).toContain(".picture .ground");
  expect(text).not.toContain("tabindex");
  expect(await tab.eval<number>("createImageBitmap(saved[1][1]).then(({ width }) => width)")).toBe(
    2 * (await tab.eval<number>(`${svg}.viewBox.baseVal.width`)),
  );
}

/** On a page with a table that has the column `Median (ms)` and many rows. */
export async function checkTableTools(tab: Tab): Promise<void> {
  const rows = () =>
    tab.eval<string[][]>(`[...document.querySelectorAll("#view tbody tr:not([hidden])")].map(({ cells }) =>
      [...cells].map(({ textContent }) => textContent))`);
  const heads = await tab.eval<string[]>(
    "[...document.querySelectorAll('#view th.figure')].map(({ textContent }) => textContent)",
  );
  expect(heads).toContain("Median (ms)");
  const column = await tab.eval<number>(
    "[...document.querySelectorAll('#view thead th')].findIndex(({ textContent }) => textContent === 'Median (ms)')",
  );
  const click = () => tab.eval(`document.querySelectorAll("#view thead th")[${column}].firstChild.click()`);
  const before = await rows();
  expect(before.length).toBeGreaterThan(8);
  const values = before
    .map((cells) => cells[column] ?? "")
    .filter((text) => text !== "–")
    .map(Number);
  const upward = values.toSorted((a, b) => a - b);
  expect(upward).not.toEqual(values);
  const shown = async () =>
    (await rows())
      .map((cells) => cells[column])
      .filter((text) => text !== "–")
      .map(Number);
  await click();
  expect(await shown()).toEqual(upward);
  await click();
  expect(await shown()).toEqual(upward.toReversed());
  await click();
  expect(await rows()).toEqual(before);
  const [name = ""] = before[3]?.filter((cell) => cell.includes(".")) ?? [];
  await tab.eval(`(() => {
    const field = document.querySelector('#view .tools > label > input[aria-label^="Filter"]');
    field.value = ${JSON.stringify(name)};
    field.dispatchEvent(new Event("input"));
  })()`);
  const kept = before.filter((cells) => cells.join("").includes(name));
  expect(await rows()).toEqual(kept);
  expect(await tab.text("#view .tools > output")).toBe(`${kept.length} of ${before.length} rows`);
  await tab.eval("copied = ''; navigator.clipboard.writeText = async (text) => { copied = text; }");
  await tab.eval(`document.querySelector('#view button[aria-label^="Copy"]').click()`);
  await until("the copy", () => tab.eval<boolean>("copied !== ''"));
  const lines = (await tab.eval<string>("copied")).trim().split("\n");
  expect(lines.slice(1).map((line) => line.split("\t"))).toEqual(kept);
}
