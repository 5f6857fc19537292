/** Axes of charts: round-trip times by their logarithm, and time in UTC. Pure. */
import { element, type Markup } from "../markup.ts";

/** A chart's drawing area, in pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Width that fits beside the axis in a usual window. */
export const chartWidthPx = 1100;

/** An axis from bottom to top; values beyond it are drawn at its ends. */
export interface RttScale {
  readonly lowestMs: number;
  readonly highestMs: number;
}

const [lowestMs, highestMs] = [0.001, 10_000];
/** Where a scale begins whose lowest time is 0: of ticks of 0.1 ms, the first. */
const tickMs = 0.1;
const steps = [1, 2, 5] as const;
/** 0.001, 0.002, 0.005, 0.01 … 10,000 ms. */
const roundMs = [-3, -2, -1, 0, 1, 2, 3, 4]
  .flatMap((power) => steps.map((step) => (power < 0 ? step / 10 ** -power : step * 10 ** power)))
  .filter((ms) => ms <= highestMs);
/** With more decades than these, only powers of ten have a line. */
const finelyRuledMax = 20;

/**
 * A scale between round numbers around all values, from 1 µs to 10 s at most, so that small changes are visible.
 */
export function rttScale(valuesMs: Iterable<number>): RttScale {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const ms of valuesMs) {
    low = Math.min(low, ms === 0 ? tickMs : ms);
    high = Math.max(high, ms);
  }
  if (high === 0) {
    return { lowestMs: tickMs, highestMs };
  }
  const from = roundMs.findLast((ms) => ms <= low && ms < highestMs) ?? lowestMs;
  return { lowestMs: from, highestMs: roundMs.find((ms) => ms >= high && ms > from) ?? highestMs };
}

export function rttY(ms: number, { top, height }: Frame, scale: RttScale): number {
  const part = Math.log(ms / scale.lowestMs) / Math.log(scale.highestMs / scale.lowestMs);
  return top + height * (1 - Math.min(1, Math.max(0, part)));
}

export function rttAxis(frame: Frame, scale: RttScale): Markup[] {
  const isFine = scale.highestMs / scale.lowestMs <= finelyRuledMax;
  const lines = roundMs.filter(
    (ms) => ms >= scale.lowestMs && ms <= scale.highestMs && (isFine || Number.isInteger(Math.log10(ms))),
  );
  return lines.flatMap((ms) => {
    const y = rttY(ms, frame, scale);
    const { left, width } = frame;
    const word = ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
    return [
      element("path", { class: "axis", d: `M${left} ${tenths(y)}H${left + width}`, "stroke-width": 0.5 }),
      element("text", { class: "quiet", x: left - 8, y: y + 4, "text-anchor": "end" }, word),
    ];
  });
}

export function timeX(ms: number, [from, to]: readonly [number, number], { left, width }: Frame): number {
  return left + (width * (ms - from)) / Math.max(1, to - from);
}

const stepsMs = [
  ...[
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  ],
  ...[1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000],
  ...[2_592_000_000, 31_536_000_000],
];
const ticksMax = 7;

/** Ticks show the day where it differs from the previous tick; the time zone is at the end. */
export function timeAxis(range: readonly [number, number], frame: Frame): Markup[] {
  const [from, to] = range;
  const step = stepsMs.find((ms) => (to - from) / ms <= ticksMax) ?? (to - from) / ticksMax;
  const first = Math.ceil(from / step) * step;
  const y = frame.top + frame.height;
  const ticks = Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step);
  let day = "";
  return ticks.flatMap((ms) => {
    const x = timeX(ms, range, frame);
    const [date = "", clock = ""] = timeText(ms).split(" ");
    const isNewDay = date !== day;
    day = date;
    return [
      element("path", { class: "axis", d: `M${tenths(x)} ${tenths(y)}v5` }),
      element("text", { class: "quiet", x, y: y + 17, "text-anchor": "middle" }, shortClock(clock, step)),
      ...(isNewDay
        ? [element("text", { class: "quiet", x, y: y + 31, "text-anchor": "middle" }, `${date} UTC`)]
        : []),
    ];
  });
}

/** `2026-01-31 12:00:00.000` */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").replace("Z", "");
}

function shortClock(clock: string, stepMs: number): string {
  return stepMs < 1000 ? clock : stepMs < 60_000 ? clock.slice(0, 8) : clock.slice(0, 5);
}

export function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}
