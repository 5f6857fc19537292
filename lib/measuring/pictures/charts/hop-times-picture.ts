/** Round-trip times of a path: a box for each hop, from the 10th to the 90th percentile, with whiskers. Pure. */
import type { Picture } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { type RttScale, rttScale, tenths } from "./scales.ts";

/** A row of the view `paths`. */
export interface TimedPath {
  readonly agent: string;
  /** The destination. */
  readonly address: string;
  readonly hops: readonly { readonly ttl: number; readonly routers: readonly TimedRouter[] }[];
}

interface TimedRouter {
  readonly address: string | null;
  readonly rtt_min_ms: number | null;
  readonly rtt_p10_ms: number | null;
  readonly rtt_median_ms: number | null;
  readonly rtt_p90_ms: number | null;
  readonly rtt_max_ms: number | null;
  /** All of them, or 100 drawn by lot. */
  readonly rtt_samples_ms: readonly number[];
}

interface Box {
  readonly min: number;
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
  readonly max: number;
}

const [width, rowPx, boxPx, top, characterPx] = [640, 24, 14, 30, 6.7];
const nameCharactersMax = 46;

export function hopTimesPicture(path: TimedPath): Picture {
  const rows = path.hops.map(({ ttl, routers }) => ({ name: nameOf(ttl, routers), box: boxOf(routers) }));
  const scale = rttScale(rows.flatMap(({ box }) => (box === null ? [] : [box.min, box.max])));
  const longest = rows.reduce(
    (most, { name }) => Math.max(most, Math.min(nameCharactersMax, name.length)),
    0,
  );
  const place = { left: 24 + longest * characterPx, scale };
  const heightPx = top + rows.length * rowPx + 8;
  return {
    widthPx: place.left + width + 90,
    heightPx,
    sentence:
      `From ${path.agent} to ${path.address}: round-trip times by hop. Box: 10th to 90th percentile, line in it: ` +
      "median, whiskers: minimum and maximum.",
    content: [
      ...axis(place, heightPx),
      element(
        "g",
        { role: "list", "aria-label": "Hops" },
        ...rows.map(({ name, box }, i) => hopRow(name, box, top + i * rowPx, place)),
      ),
    ],
  };
}

function nameOf(ttl: number, routers: readonly TimedRouter[]): string {
  const [first, ...others] = routers.filter(({ address }) => address !== null);
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${ttl}  ${first?.address ?? "no reply"}${more}`;
}

/** The box of a hop with all its routers; null = no reply, or none with a time. */
function boxOf(routers: readonly TimedRouter[]): Box | null {
  const timed = routers.filter(({ rtt_samples_ms: samples }) => samples.length > 0);
  const [only, ...others] = timed;
  if (only === undefined) {
    return null;
  }
  const { rtt_min_ms: min, rtt_p10_ms: p10, rtt_median_ms: median, rtt_p90_ms: p90, rtt_max_ms: max } = only;
  const isWhole = min !== null && p10 !== null && median !== null && p90 !== null && max !== null;
  if (others.length === 0 && isWhole) {
    return { min, p10, median, p90, max };
  }
  const sorted = timed.flatMap(({ rtt_samples_ms: samples }) => samples).toSorted((a, b) => a - b);
  const least = timed.map(({ rtt_min_ms: ms }) => ms ?? Number.POSITIVE_INFINITY);
  const greatest = timed.map(({ rtt_max_ms: ms }) => ms ?? 0);
  return {
    min: Math.min(...least, sorted[0] ?? 0),
    ...{ p10: quantile(sorted, 0.1), median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) },
    max: Math.max(...greatest, sorted.at(-1) ?? 0),
  };
}

/** Between the two nearest values, as in the API. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at - Math.floor(at));
}

interface Place {
  /** Where the scale begins, in pixels. */
  readonly left: number;
  readonly scale: RttScale;
}

function xOf(ms: number, { left, scale: { lowestMs, highestMs } }: Place): number {
  const part = Math.log(ms / lowestMs) / Math.log(highestMs / lowestMs);
  return left + width * Math.min(1, Math.max(0, part));
}

function axis(place: Place, heightPx: number): Markup[] {
  const { scale } = place;
  const powers = Array.from({ length: 8 }, (_, i) => 10 ** (i - 3)).filter(
    (ms) => ms >= scale.lowestMs && ms <= scale.highestMs,
  );
  return [...new Set([scale.lowestMs, ...powers, scale.highestMs])].flatMap((ms) => {
    const x = xOf(ms, place);
    const word = ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
    return [
      element("path", { class: "axis", d: `M${tenths(x)} ${top - 6}V${heightPx - 4}`, "stroke-width": 0.5 }),
      element("text", { class: "quiet", x, y: 16, "text-anchor": "middle" }, word),
    ];
  });
}

function hopRow(name: string, box: Box | null, y: number, place: Place): Markup {
  const middle = y + boxPx / 2;
  const label = box === null ? `${name}: no time` : `${name}: ${wordsOf(box)}`;
  const named = { class: "ink", x: place.left - 12, y: middle + 4, "text-anchor": "end" };
  return element(
    "g",
    { role: "listitem", "aria-label": label },
    element("title", {}, label),
    element("text", named, clipped(name, nameCharactersMax)),
    ...(box === null ? [] : drawnBox(box, y, place)),
  );
}

function wordsOf({ min, p10, median, p90, max }: Box): string {
  const middle = `median ${short(median)} ms, 10th to 90th percentile ${short(p10)} to ${short(p90)} ms`;
  return `${middle}, ${short(min)} to ${short(max)} ms`;
}

function short(ms: number): string {
  return String(Math.round(ms * 1000) / 1000);
}

function drawnBox({ min, p10, median, p90, max }: Box, y: number, place: Place): Markup[] {
  const [from, low, at, high, to] = [min, p10, median, p90, max].map((ms) => xOf(ms, place)) as [
    ...[number, number, number, number, number],
  ];
  const middle = tenths(y + boxPx / 2);
  return [
    element("path", { class: "axis", d: `M${tenths(from)} ${middle}H${tenths(to)}`, "stroke-width": 1.5 }),
    element("rect", { class: "heat-1", x: low, y, width: Math.max(2, high - low), height: boxPx }),
    element("path", { class: "line", d: `M${tenths(at)} ${y - 2}V${y + boxPx + 2}`, "stroke-width": 2 }),
    element("text", { class: "quiet", x: to + 6, y: y + boxPx - 3 }, `${short(median)} ms`),
  ];
}
