/**
 * The heat map: a column for each time bin, a cell for each bucket of round-trip times, darker for more replies; lines
 * for the 5th, 50th and 95th percentile. The rows are those of the view `heatmap`. Pure.
 */
import { counted } from "../counts.ts";
import type { Picture } from "../look.ts";
import { element, type Markup } from "../markup.ts";
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

export interface HeatBin {
  /** RFC 3339, in UTC. */
  readonly time: string;
  readonly width_ms: number;
  readonly replies: number;
  readonly rtt_p5_ms: number;
  readonly rtt_median_ms: number;
  readonly rtt_p95_ms: number;
  readonly buckets: readonly {
    readonly rtt_from_ms: number;
    readonly rtt_to_ms: number;
    readonly replies: number;
  }[];
}

const frame: Frame = { left: 64, top: 28, width: chartWidthPx, height: 300 };
/** Classes `heat-0` to `heat-4`. */
const depths = 5;

export function heatPicture(bins: readonly HeatBin[]): Picture {
  const from = Math.min(...bins.map(({ time }) => Date.parse(time)));
  const to = Math.max(...bins.map(({ time, width_ms }) => Date.parse(time) + width_ms));
  const range = [from, to] as const;
  const most = Math.max(1, ...bins.flatMap(({ buckets }) => buckets.map(({ replies }) => replies)));
  const scale = rttScale(
    bins.flatMap(({ rtt_p5_ms: low, rtt_p95_ms: high, buckets }) => [
      low,
      high,
      ...buckets.flatMap(({ rtt_from_ms: from, rtt_to_ms: to }) => [from, to]),
    ]),
  );
  const cells = bins.map((bin) => columnMarkup(bin, { range, scale, most }));
  return {
    widthPx: frame.left + frame.width + 48,
    heightPx: frame.top + frame.height + 44,
    sentence: heatSentence(bins),
    content:
      bins.length === 0
        ? rttAxis(frame, scale)
        : [
            ...legend(most),
            ...rttAxis(frame, scale),
            element("g", { role: "list", "aria-label": "Bins of time" }, ...cells),
            ...quantileLines(bins, range, scale),
            ...timeAxis(range, frame),
          ],
  };
}

/** `1,234 answers in 60 bins of 1 s, from … to … UTC: median 12.3 ms at the start, 14.1 ms at the end.` */
function heatSentence(bins: readonly HeatBin[]): string {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) {
    return "No answer with a known round-trip time.";
  }
  const answers = bins.reduce((sum, { replies }) => sum + replies, 0);
  const end = Date.parse(last.time) + last.width_ms;
  const begin = Date.parse(first.time);
  const digits = begin % 1000 === 0 && end % 1000 === 0 ? 19 : 23;
  return (
    `${counted(answers, "answer")} in bins of ${widthText(first.width_ms)}, ` +
    `from ${timeText(begin).slice(0, digits)} to ${timeText(end).slice(0, digits)} UTC: ` +
    `median ${first.rtt_median_ms} ms at the start, ${last.rtt_median_ms} ms at the end.`
  );
}

function widthText(ms: number): string {
  const units = [
    ["days", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
  ] as const;
  const [unit, size] = units.find(([, own]) => ms >= own && ms % own === 0) ?? ["ms", 1];
  return `${ms / size} ${unit}`;
}

interface Columns {
  readonly range: readonly [fromMs: number, toMs: number];
  readonly scale: RttScale;
  /** Replies in the fullest cell. */
  readonly most: number;
}

function columnMarkup(bin: HeatBin, { range, scale, most }: Columns): Markup {
  const at = Date.parse(bin.time);
  const x = timeX(at, range, frame);
  const width = Math.max(1, timeX(at + bin.width_ms, range, frame) - x);
  const title = `${timeText(at)} UTC: ${bin.replies} replies, 5th percentile ${bin.rtt_p5_ms} ms, median ${
    bin.rtt_median_ms
  } ms, 95th percentile ${bin.rtt_p95_ms} ms`;
  // One path for all cells of a depth saves a browser thousands of boxes.
  const byDepth = Map.groupBy(bin.buckets, ({ replies }) => heatDepth(replies, most));
  const cells = [...byDepth].map(([depth, buckets]) => {
    const d = buckets.map(({ rtt_from_ms: low, rtt_to_ms: high }) => {
      const y = rttY(high, frame, scale);
      const height = Math.max(1.5, rttY(low, frame, scale) - y);
      return `M${tenths(x)} ${tenths(y)}h${tenths(width)}v${tenths(height)}H${tenths(x)}z`;
    });
    return element("path", { class: `heat-${depth}`, d: d.join("") });
  });
  return element("g", { role: "listitem", "aria-label": title }, element("title", {}, title), ...cells);
}

/** Logarithmic, so that one reply is visible beside a million. */
export function heatDepth(replies: number, most: number): number {
  const part = most === 1 ? 1 : Math.log(replies) / Math.log(most);
  return Math.min(depths - 1, Math.floor(part * depths));
}

function legend(most: number): Markup[] {
  const words = most === 1 ? "1 answer in a cell" : `1 to ${most} answers in a cell`;
  const boxes = Array.from({ length: depths }, (_, i) =>
    element("rect", { class: `heat-${i}`, x: frame.left + i * 14, y: 8, width: 14, height: 10 }),
  );
  const x = frame.left + depths * 14 + 8;
  const lines = "lines: 5 %, half, 95 % of the answers within";
  return [...boxes, element("text", { class: "quiet", x, y: 17 }, `${words}; ${lines}`)];
}

/** Broken at bins without a reply. */
function quantileLines(
  bins: readonly HeatBin[],
  range: readonly [number, number],
  scale: RttScale,
): Markup[] {
  const line = (value: (bin: HeatBin) => number) =>
    bins.map((bin, i) => {
      const at = Date.parse(bin.time);
      const before = bins[i - 1];
      const isNext = before !== undefined && Date.parse(before.time) + before.width_ms === at;
      const y = tenths(rttY(value(bin), frame, scale));
      const [x1, x2] = [timeX(at, range, frame), timeX(at + bin.width_ms, range, frame)].map(tenths);
      return `${isNext ? "L" : "M"}${x1} ${y}H${x2}`;
    });
  const drawn = [
    ["line thin", line(({ rtt_p5_ms }) => rtt_p5_ms)],
    ["line", line(({ rtt_median_ms }) => rtt_median_ms)],
    ["line thin", line(({ rtt_p95_ms }) => rtt_p95_ms)],
  ] as const;
  return drawn.map(([name, parts]) => element("path", { class: name, d: parts.join("") }));
}
