/**
 * Time series in place of the server's picture: a plot for each pair, which share their time axis and cursor. Dragging
 * zooms all of them, a double click or "All" shows all time; they are sorted, filtered and set to one scale together.
 */
import { button, labelled, searchInput, toolbar } from "./elements.ts";
import { onRenewed } from "./fresh-page.ts";
import type { PairSeries } from "./pair-series.ts";
import { makePlot, type Plot, type PlottedEvent, redrawPlots, resetPlots, showSpan } from "./series-plot.ts";

const spans = [
  ["1 hour", 3600],
  ["1 day", 86_400],
  ["1 week", 7 * 86_400],
  ["All", null],
] as const;

const orders = {
  name: "Name",
  loss: "Most loss first",
  rtt: "Slowest first",
} as const satisfies Readonly<Record<string, string>>;

/** As its reader has left it, also when the page is renewed. */
const choice = { order: "name" as keyof typeof orders, filter: "", hasOneScale: false };

export function listenToSeries(): void {
  onRenewed((place) => {
    for (const frame of place.querySelectorAll<HTMLElement>("[data-series]")) {
      draw(frame);
    }
  });
}

function draw(frame: HTMLElement): void {
  const pairs = JSON.parse(frame.dataset.series ?? "[]") as PairSeries[];
  const events = JSON.parse(frame.dataset.events ?? "[]") as PlottedEvent[];
  resetPlots();
  if (pairs.length === 0) {
    return;
  }
  const list = Object.assign(document.createElement("div"), { className: "plots" });
  // Not by spreading: a campaign has more runs than a call may have arguments.
  const greatestMs = pairs.reduce(
    (most, { highMs }) => highMs.reduce<number>((greatest, ms) => Math.max(greatest, ms ?? 0), most),
    0,
  );
  const plots = pairs.map((pair) =>
    makePlot(pair, { events, oneScaleMs: () => (choice.hasOneScale ? greatestMs : null) }),
  );
  const arrange = () => {
    const words = choice.filter.toLowerCase().split(/\s+/);
    const shown = plots.filter(({ pair }) => words.every((word) => pair.name.toLowerCase().includes(word)));
    list.replaceChildren(...shown.toSorted(orderOf(choice.order)).map(({ element }) => element));
    return shown.length;
  };
  // The picture stays for programs that read the page's text.
  for (const figure of frame.querySelectorAll<HTMLElement>(".picture-frame")) {
    figure.querySelector(".scroll")?.setAttribute("hidden", "");
    figure.querySelector(".tools")?.remove();
  }
  frame.append(toolsOf(pairs, arrange), list);
  arrange();
}

function toolsOf(pairs: readonly PairSeries[], arrange: () => number): HTMLElement {
  const tools = toolbar();
  const times = pairs.flatMap(({ atSec }) => [atSec[0] ?? 0, atSec.at(-1) ?? 0]);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  for (const [word, sec] of spans) {
    if (sec === null || sec < last - first) {
      tools.append(button(word, () => showSpan(sec === null ? null : [last - sec, last])));
    }
  }
  if (pairs.length > 1) {
    const order = document.createElement("select");
    order.append(
      ...Object.entries(orders).map(([name, word]) => new Option(word, name, false, name === choice.order)),
    );
    order.addEventListener("change", () => {
      choice.order = order.value as keyof typeof orders;
      arrange();
    });
    const filter = searchInput(choice.filter);
    const count = Object.assign(document.createElement("output"), { value: `${pairs.length} pairs` });
    filter.addEventListener("input", () => {
      choice.filter = filter.value;
      count.value = `${arrange()} of ${pairs.length} pairs`;
    });
    const scale = Object.assign(document.createElement("input"), {
      type: "checkbox",
      checked: choice.hasOneScale,
    });
    scale.addEventListener("change", () => {
      choice.hasOneScale = scale.checked;
      redrawPlots();
    });
    tools.append(labelled("Order", order), labelled("Filter", filter), labelled("One scale", scale), count);
  }
  return tools;
}

function orderOf(order: keyof typeof orders): (a: Plot, b: Plot) => number {
  const mean = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  };
  switch (order) {
    case "name":
      return ({ pair: a }, { pair: b }) => a.name.localeCompare(b.name, "en", { numeric: true });
    case "loss":
      return ({ pair: a }, { pair: b }) => mean(b.lossPercent) - mean(a.lossPercent);
    case "rtt":
      return ({ pair: a }, { pair: b }) => mean(b.medianMs) - mean(a.medianMs);
  }
}
