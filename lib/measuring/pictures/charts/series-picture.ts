/**
 * The runs of a campaign in order: for each agent and destination the round-trip times, as a band from the
 * 10th to the 90th percentile with a line at the median, and below it the loss, with its likely range. The
 * rows are those of the view `series`. Pure.
 */
import type { Picture } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import {
  chartWidthPx,
  type Frame,
  type RttScale,
  rttAxis,
  rttScale,
  rttY,
  tenths,
  timeAxis,
  timeText,
  timeX,
} from "./scales.ts";

export interface SeriesRow {
  readonly run: number | null;
  /** RFC 3339, in UTC; null = not part of a campaign. */
  readonly planned_at: string | null;
  readonly agent: string;
  readonly destination: string;
  readonly submitted: number;
  readonly loss_percent: number;
  readonly loss_low_percent: number;
  readonly loss_high_percent: number;
  readonly rtt_p10_ms: number | null;
  readonly rtt_median_ms: number | null;
  readonly rtt_p90_ms: number | null;
}

interface PlannedRow extends SeriesRow {
  readonly planned_at: string;
}

/** Further ones are in the table only. */
const seriesMax = 12;

const [left, width, titlePx, rttPx, gapPx, lossPx, axisPx] = [64, chartWidthPx, 22, 110, 16, 34, 44];
const panelPx = titlePx + rttPx + gapPx + lossPx + axisPx;
const nameCharactersMax = 80;

export function seriesPicture(rows: readonly SeriesRow[]): Picture {
  const planned = rows.filter((row): row is PlannedRow => row.planned_at !== null);
  const times = planned.map((row) => Date.parse(row.planned_at));
  const range = [Math.min(...times), Math.max(...times)] as const;
  const series = [...Map.groupBy(planned, ({ agent, destination }) => `${agent} to ${destination}`)];
  const panels = series
    .slice(0, seriesMax)
    .map(([name, own], i) =>
      element(
        "g",
        { role: "list", "aria-label": `Runs from ${name}` },
        ...panel(name, own, range, i * panelPx),
      ),
    );
  return {
    widthPx: left + width + 48,
    heightPx: Math.max(1, panels.length) * panelPx,
    sentence: seriesSentence(planned, series.length),
    content: panels,
  };
}

function seriesSentence(rows: readonly PlannedRow[], series: number): string {
  const runs = new Set(rows.map(({ run }) => run)).size;
  if (runs === 0) {
    return "No run has results yet.";
  }
  const worst = rows.reduce((a, b) => (b.loss_percent > a.loss_percent ? b : a));
  const shown = series > seriesMax ? ` Drawn are the first ${seriesMax} of ${series} pairs.` : "";
  const loss =
    worst.loss_percent === 0
      ? ", no loss"
      : `; the greatest loss is ${worst.loss_percent} %, from ${worst.agent} to ${worst.destination} ` +
        `in run ${worst.run}`;
  return `${runs} ${runs === 1 ? "run" : "runs"}${loss}.${shown}`;
}

function panel(
  name: string,
  rows: readonly PlannedRow[],
  range: readonly [number, number],
  top: number,
): Markup[] {
  const rtt: Frame = { left, width, top: top + titlePx, height: rttPx };
  const loss: Frame = { left, width, top: top + titlePx + rttPx + gapPx, height: lossPx };
  const x = (row: PlannedRow) => timeX(Date.parse(row.planned_at), range, rtt);
  const scale = rttScale(rows.flatMap(timesOf));
  const lossMax = lossMaxOf(rows);
  const barPx = Math.max(1, Math.min(10, width / (2 * rows.length)));
  return [
    element("text", { class: "ink", x: left, y: top + 14 }, clipped(name, nameCharactersMax)),
    ...rttAxis(rtt, scale),
    ...bands(rows, x, { frame: rtt, scale }),
    element("path", { class: "line", d: medianLine(rows, x, { frame: rtt, scale }) }),
    ...lossAxis(loss, lossMax),
    ...rows.map((row) => runMarkup(row, { x: x(row), barPx, frame: loss, lossMax })),
    ...timeAxis(range, loss),
  ];
}

interface Ruled {
  readonly frame: Frame;
  readonly scale: RttScale;
}

function timesOf({ rtt_p10_ms: low, rtt_median_ms: median, rtt_p90_ms: high }: PlannedRow): number[] {
  return [low, median, high].filter((ms) => ms !== null);
}

const lossSteps = [1, 2, 5, 10, 20, 50];

/** Leaves room for the likely range. */
function lossMaxOf(rows: readonly PlannedRow[]): number {
  const most = rows.reduce((high, row) => Math.max(high, row.loss_percent, row.loss_high_percent), 0);
  return lossSteps.find((percent) => percent >= most) ?? 100;
}

function lossAxis({ top, height }: Frame, lossMax: number): Markup[] {
  return [`${lossMax} %`, "loss", "0 %"].map((word, i) =>
    element(
      "text",
      { class: "quiet", x: left - 8, y: top + 4 + (i * height) / 2, "text-anchor": "end" },
      word,
    ),
  );
}

/** Up to half the runs of a series may lack times: a band for each run that has them. */
function bands(
  rows: readonly PlannedRow[],
  x: (row: PlannedRow) => number,
  { frame, scale }: Ruled,
): Markup[] {
  return rows.flatMap((row) => {
    const { rtt_p10_ms: low, rtt_p90_ms: high } = row;
    if (low === null || high === null) {
      return [];
    }
    const y = rttY(high, frame, scale);
    const height = Math.max(1.5, rttY(low, frame, scale) - y);
    return [element("rect", { class: "heat-1", x: x(row) - 2, y, width: 4, height })];
  });
}

/** Broken at runs without a reply. */
function medianLine(
  rows: readonly PlannedRow[],
  x: (row: PlannedRow) => number,
  { frame, scale }: Ruled,
): string {
  return rows
    .map((row, i) => {
      const { rtt_median_ms: median } = row;
      if (median === null) {
        return "";
      }
      const command = (rows[i - 1]?.rtt_median_ms ?? null) === null ? "M" : "L";
      return `${command}${tenths(x(row))} ${tenths(rttY(median, frame, scale))}${command === "M" ? "h0" : ""}`;
    })
    .join("");
}

interface RunPlace {
  readonly x: number;
  readonly barPx: number;
  readonly frame: Frame;
  readonly lossMax: number;
}

/** The bar is the loss, the thin line its likely range. */
function runMarkup(row: PlannedRow, { x, barPx, frame: { top, height }, lossMax }: RunPlace): Markup {
  const y = (percent: number) => top + height - (height * percent) / lossMax;
  const title = [
    `Run ${row.run}, ${timeText(Date.parse(row.planned_at)).slice(0, 16)} UTC: `,
    row.rtt_median_ms === null
      ? "no answer of the destination"
      : `10th percentile ${row.rtt_p10_ms} ms, median ${row.rtt_median_ms} ms, 90th percentile ${row.rtt_p90_ms} ms`,
    `; ${row.loss_percent} % of ${row.submitted} lost, likely ${row.loss_low_percent} to ${row.loss_high_percent} %`,
  ].join("");
  const bar = { x: x - barPx / 2, y: y(row.loss_percent), width: barPx };
  return element(
    "g",
    { role: "listitem", "aria-label": title },
    element("title", {}, title),
    element("rect", { class: "loss", ...bar, height: Math.max(0, top + height - bar.y) }),
    element("path", {
      class: "axis",
      d: `M${tenths(x)} ${tenths(y(row.loss_low_percent))}V${tenths(y(row.loss_high_percent))}`,
    }),
  );
}
