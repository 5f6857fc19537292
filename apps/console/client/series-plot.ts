/**
 * One pair's plot: the median of its round-trip times in a band from the 10th to the 90th percentile, loss as bars on a
 * scale of its own, alerts as lines. Drawn once it is seen, by uPlot.
 */
import uPlot from "uplot";
import type { PairSeries } from "./pair-series.ts";
import { sampledRows } from "./sampled-rows.ts";

export interface PlottedEvent {
  readonly atSec: number;
  /** Null = it concerns each pair. */
  readonly pair: string | null;
  readonly text: string;
}

export interface Plot {
  readonly pair: PairSeries;
  readonly element: HTMLElement;
}

interface PlotOptions {
  readonly events: readonly PlottedEvent[];
  /** Upper end of the common scale; null = each has its own. */
  readonly oneScaleMs: () => number | null;
}

const heightPx = 190;
const syncKey = "series";
/** Plots by their place, drawn once they have been seen. */
const drawn = new Map<HTMLElement, uPlot>();
const pairs = new Map<HTMLElement, PairSeries>();
/** Places that are seen now: only these follow each zoom and the cursor, the others when they are seen again. */
const inView = new Set<HTMLElement>();
/** Chosen span in seconds since the epoch; null = all. Kept when the page is renewed. */
let span: readonly [number, number] | null = null;

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.dispatchEvent(new CustomEvent(isIntersecting ? "seen" : "unseen"));
  }
});

const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    drawn.get(target as HTMLElement)?.setSize({ width: contentRect.width, height: heightPx });
  }
});

export function makePlot(pair: PairSeries, options: PlotOptions): Plot {
  const element = Object.assign(document.createElement("section"), { className: "plot" });
  element.setAttribute("aria-label", `Plot of ${pair.name}`);
  const heading = Object.assign(document.createElement("h2"), { textContent: pair.name });
  const place = document.createElement("div");
  element.append(heading, place);
  place.addEventListener("seen", () => {
    if (!drawn.has(place)) {
      const data = dataOf(pair, span ?? wholeOf(pair), place.clientWidth);
      drawn.set(place, new uPlot(optionsOf(pair, options, place), data, place));
      pairs.set(place, pair);
      sizes.observe(place);
    }
    inView.add(place);
    follow(place);
  });
  place.addEventListener("unseen", () => {
    inView.delete(place);
    const plot = drawn.get(place);
    if (plot !== undefined) {
      uPlot.sync(syncKey).unsub(plot);
    }
  });
  seen.observe(place);
  return { pair, element };
}

/** Null = all. */
export function showSpan(wanted: readonly [number, number] | null): void {
  span = wanted;
  redrawPlots();
}

function showAll(): null {
  showSpan(null);
  return null;
}

let frame = 0;

/** Redraws plots in view, once a frame; the others follow when they are seen. Scales of values are found again. */
export function redrawPlots(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    for (const place of inView) {
      follow(place);
    }
  });
}

/** Takes the cursor and the span of the others. */
function follow(place: HTMLElement): void {
  const [plot, pair] = [drawn.get(place), pairs.get(place)];
  if (plot !== undefined && pair !== undefined) {
    const [min, max] = span ?? wholeOf(pair);
    uPlot.sync(syncKey).unsub(plot);
    uPlot.sync(syncKey).sub(plot);
    plot.batch(() => {
      plot.setData(dataOf(pair, [min, max], place.clientWidth), false);
      plot.setScale("x", { min, max });
    });
  }
}

/** Before a page's plots are made anew. */
export function resetPlots(): void {
  seen.disconnect();
  sizes.disconnect();
  for (const plot of drawn.values()) {
    plot.destroy();
  }
  drawn.clear();
  pairs.clear();
  inView.clear();
}

/** Columns of the rows that suffice; a run without loss has no bar. */
function dataOf(pair: PairSeries, between: readonly [number, number], widthPx: number): uPlot.AlignedData {
  const rows = sampledRows(pair, between, Math.max(1, widthPx));
  const of = (values: readonly (number | null)[]) => rows.map((row) => values[row] ?? null);
  const { highMs, medianMs, lowMs, lossPercent } = pair;
  return [rows.map((row) => pair.atSec[row] ?? 0), of(highMs), of(medianMs), of(lowMs), of(lossPercent)];
}

function wholeOf({ atSec }: PairSeries): [number, number] {
  return [atSec[0] ?? 0, atSec.at(-1) ?? 0];
}

/** Ticks from a distance in seconds on: their text, and what is below it where a year or a day begins. */
const [hourAndMinute, yearBelow, dateBelow, dayBelow] = [
  "{HH}:{mm}",
  "\n{YYYY}",
  "\n{YYYY}-{MM}-{DD}",
  "\n{MM}-{DD}",
];
const timeTicks: (number | string | null)[][] = [
  [365 * 86_400, "{YYYY}", null, null, null, null, null, null, 1],
  [86_400, "{MM}-{DD}", yearBelow, null, null, null, null, null, 1],
  [60, hourAndMinute, dateBelow, null, dayBelow, null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", dateBelow, null, dayBelow, null, null, null, 1],
];

function optionsOf(pair: PairSeries, { events, oneScaleMs }: PlotOptions, place: HTMLElement): uPlot.Options {
  const ms = (_: uPlot, value: number | null) => (value === null ? "–" : `${value} ms`);
  const colour = (name: string) => () => colourOf(place, name);
  const own = events.filter(({ pair: of }) => of === null || of === pair.name);
  const axis: uPlot.Axis = {
    stroke: colour("soft"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line") },
  };
  const median = { label: "Median", scale: "ms", value: ms, stroke: colour("median"), width: 1.6 };
  return {
    width: place.clientWidth,
    height: heightPx,
    tzDate: (sec) => uPlot.tzDate(new Date(sec * 1000), "Etc/UTC"),
    scales: {
      ms: { range: (_, __, max) => [0, 1.08 * (oneScaleMs() ?? max ?? 1)] },
      "%": { range: [0, 100] },
    },
    axes: [
      { ...axis, values: timeTicks },
      { ...axis, scale: "ms", values: (_, values) => values.map((value) => `${value} ms`), size: 64 },
      {
        ...axis,
        scale: "%",
        side: 1,
        size: 60,
        grid: { show: false },
        values: (_, values) => values.map((value) => `${value} %`),
      },
    ],
    series: [
      { label: "UTC", value: (_, sec) => timeAndRun(pair, sec) },
      { label: "90th percentile", scale: "ms", value: ms, stroke: colour("band"), width: 0.5 },
      median,
      { label: "10th percentile", scale: "ms", value: ms, stroke: colour("band"), width: 0.5 },
      {
        ...{
          label: "Loss",
          scale: "%",
          stroke: colour("loss"),
          fill: colour("loss"),
          points: { show: false },
        },
        value: (_, value) => (value === null ? "–" : `${value} %`),
        ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.5, 10] }) }),
      },
    ],
    bands: [{ series: [1, 3], fill: () => colourOf(place, "band") }],
    cursor: {
      ...{ sync: { key: syncKey }, drag: { x: true, y: false } },
      // All of the pair, not of the rows that are drawn.
      bind: { dblclick: () => () => showAll() },
    },
    hooks: {
      draw: [(plot) => drawEvents(plot, own, colourOf(place, "loss"))],
      setScale: [(plot, key) => key === "x" && keepSpan(plot, pair)],
    },
  };
}

/** One plot was zoomed by hand: the others follow when they are drawn. */
function keepSpan({ scales }: uPlot, pair: PairSeries): void {
  const { min = 0, max = 0 } = scales.x ?? {};
  const [first, last] = wholeOf(pair);
  const before = span;
  span = (min === first && max === last) || min === null || max === null ? null : [min, max];
  if (span?.[0] !== before?.[0] || span?.[1] !== before?.[1]) {
    redrawPlots();
  }
}

function timeAndRun(pair: PairSeries, sec: number | null): string {
  if (sec === null) {
    return "–";
  }
  const run = pair.run[pair.atSec.indexOf(sec)];
  const time = new Date(sec * 1000).toISOString().slice(0, 19).replace("T", " ");
  return run === null || run === undefined ? time : `${time}, run ${run}`;
}

function drawEvents({ ctx, bbox, valToPos }: uPlot, events: readonly PlottedEvent[], colour: string): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([4, 4]);
  for (const { atSec } of events) {
    const x = Math.round(valToPos(atSec, "x", true));
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** A canvas knows no `light-dark()`: the style sheet's colour, as the browser resolves it. */
function colourOf(place: HTMLElement, name: string): string {
  const known = colours.get(name);
  if (known !== undefined) {
    return known;
  }
  place.dataset.colour = name;
  const { color } = getComputedStyle(place);
  delete place.dataset.colour;
  colours.set(name, color);
  return color;
}

/** Resolved colours of the current theme, by name. */
const colours = new Map<string, string>();

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  colours.clear();
  for (const plot of drawn.values()) {
    plot.redraw(false, false);
  }
});
