/**
 * Control and data plane of an experiment on one time axis: a row for each source, a mark for each event, a
 * vertical line at each change of the announcements. Pure.
 */
import type { Picture } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { chartWidthPx, type Frame, tenths, timeAxis, timeText, timeX } from "./scales.ts";

/** As in the API. */
interface LineEvent {
  readonly at_ns: string;
  readonly within_ms: number | null;
  readonly plane: "control" | "data";
  readonly source: string;
  readonly subject: string;
  readonly event: string;
  readonly detail: string;
}

interface LineChange {
  readonly number: number;
  readonly at: string;
  readonly text: string;
}

const [left, rowPx, top, axisPx, nameCharactersMax] = [250, 24, 44, 44, 34] as const;
const width = chartWidthPx - 150;
/** Further rows and marks are in the table only. */
const [rowsMax, marksMax] = [30, 2000] as const;
/** Margin around the events, so that no mark is on the picture's edge. */
const marginPart = 0.02;

type Shape = "triangle" | "circle" | "diamond" | "cross" | "square" | "bar";
/** A class of the style sheet, and a shape with the same meaning without colour. */
const styles: Readonly<Record<string, readonly [shape: Shape, tone: string]>> = {
  asked: ["triangle", "tone-7"],
  daemon: ["circle", "tone-0"],
  exchange: ["circle", "tone-2"],
  "first-sight": ["diamond", "tone-1"],
  route: ["diamond", "tone-5"],
  "route-gone": ["cross", "loss"],
  "first-probe": ["square", "tone-1"],
  "new-path": ["square", "tone-5"],
  loss: ["cross", "loss"],
  gap: ["bar", "loss"],
  "gap-over": ["bar", "tone-2"],
};
/** Events whose names in the API differ from the words. */
const words: Readonly<Record<string, string>> = {
  asked: "request",
  "first-sight": "first seen",
  "route-gone": "route withdrawn",
  "gap-over": "gap ended",
};
const otherLook = ["bar", "tone-3"] as const;

/** An event of the API in words. */
export function eventWord(event: string): string {
  return words[event] ?? event.replaceAll("-", " ");
}

/** Draws a line for each change between the first and the last event. */
export function timeLinePicture(events: readonly LineEvent[], changes: readonly LineChange[]): Picture {
  const lanes = [...Map.groupBy(events, laneOf)].sort(([a], [b]) => rankOf(a) - rankOf(b)).slice(0, rowsMax);
  const range = rangeOf(events);
  const frame: Frame = { left, top, width, height: Math.max(1, lanes.length) * rowPx };
  let room: number = marksMax;
  const rows = lanes.map(([lane, own], i) => {
    const drawn = own.slice(0, room);
    room -= drawn.length;
    return row(lane, drawn, { range, frame, y: top + i * rowPx + rowPx / 2 });
  });
  const shown = changes.filter(({ at }) => Date.parse(at) >= range[0] && Date.parse(at) <= range[1]);
  return {
    widthPx: left + width + 60,
    heightPx: top + frame.height + axisPx,
    sentence: sentenceOf(events, shown.length, rows.length),
    content: [...legend(events), ...lines(shown, range, frame), ...rows, ...timeAxis(range, frame)],
  };
}

function msOf({ at_ns: at }: LineEvent): number {
  return Number(BigInt(at) / 1000n) / 1000;
}

/**
 * The row of an event: a router's peer for routes, else the source. The leading digit only sorts and is not
 * shown.
 */
function laneOf({ plane, source, subject, event }: LineEvent): string {
  if (plane === "data") {
    return source === "controller" ? "5 measurements" : `6 probes at ${source}`;
  }
  const isRoute = event === "first-sight" || event === "route" || event === "route-gone";
  const sources = { asked: "1 requests", daemon: "2 client stacks", exchange: "3 exchange servers" };
  return isRoute ? `4 route at ${subject}` : (sources[event as keyof typeof sources] ?? `5 ${source}`);
}

function rankOf(lane: string): number {
  return Number(lane[0]);
}

function rangeOf(events: readonly LineEvent[]): readonly [number, number] {
  if (events.length === 0) {
    return [0, 1000];
  }
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const event of events) {
    [from, to] = [Math.min(from, msOf(event)), Math.max(to, msOf(event))];
  }
  const margin = Math.max(500, (to - from) * marginPart);
  return [from - margin, to + margin];
}

interface RowPlace {
  readonly range: readonly [number, number];
  readonly frame: Frame;
  /** Its middle. */
  readonly y: number;
}

function row(lane: string, events: readonly LineEvent[], { range, frame, y }: RowPlace): Markup {
  const name = lane.slice(2);
  const path = `M${left} ${tenths(y)}H${left + width}`;
  return element(
    "g",
    { role: "list", "aria-label": name },
    element(
      "text",
      { class: "ink", x: left - 10, y: y + 4, "text-anchor": "end" },
      clipped(name, nameCharactersMax),
    ),
    element("path", { class: "axis", d: path, "stroke-width": 0.5 }),
    ...events.map((event) => mark(event, timeX(msOf(event), range, frame), { range, frame, y })),
  );
}

function mark(event: LineEvent, x: number, { range, frame, y }: RowPlace): Markup {
  const [shape, tone] = styles[event.event] ?? otherLook;
  const within = event.within_ms ?? 0;
  const spanPx = timeX(range[0] + within, range, frame) - frame.left;
  const sure = event.within_ms === null ? ", clock never compared" : within > 0 ? `, ± ${within} ms` : "";
  const text = `${eventWord(event.event)} ${event.subject}: ${event.detail} (${timeText(msOf(event))} UTC${sure})`;
  const [from, to] = [Math.max(left, x - spanPx), Math.min(left + width, x + spanPx)];
  return element(
    "g",
    { role: "listitem", "aria-label": text },
    element("title", {}, text),
    ...(spanPx < 6
      ? []
      : [
          element("path", {
            class: "axis",
            d: `M${tenths(from)} ${tenths(y)}H${tenths(to)}`,
            "stroke-width": 3,
          }),
        ]),
    element("path", { class: tone, d: outline(shape, x, y) }),
  );
}

/** A path to fill, some 10 pixels wide. */
function outline(shape: Shape, x: number, y: number): string {
  const at = (dx: number, dy: number) => `${tenths(x + dx)} ${tenths(y + dy)}`;
  switch (shape) {
    case "triangle":
      return `M${at(-6, -6)}L${at(6, -6)}L${at(0, 5)}Z`;
    case "circle":
      return `M${at(-5, 0)}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z`;
    case "diamond":
      return `M${at(0, -6)}L${at(5, 0)}L${at(0, 6)}L${at(-5, 0)}Z`;
    case "cross":
      return `M${at(-5, -3)}l2 -2l3 3l3 -3l2 2l-3 3l3 3l-2 2l-3 -3l-3 3l-2 -2l3 -3Z`;
    case "square":
      return `M${at(-4, -4)}h8v8h-8Z`;
    case "bar":
      return `M${at(-1.5, -7)}h3v14h-3Z`;
  }
}

/** A vertical line at each change, with its number above. */
function lines(changes: readonly LineChange[], range: readonly [number, number], frame: Frame): Markup[] {
  return changes.map(({ number, at, text }) => {
    const x = timeX(Date.parse(at), range, frame);
    return element(
      "g",
      {},
      element("title", {}, `Change ${number}: ${text}`),
      element("path", { class: "link silent", d: `M${tenths(x)} ${top - 8}V${top + frame.height}` }),
      element("text", { class: "quiet", x, y: top - 11, "text-anchor": "middle" }, String(number)),
    );
  });
}

/** The kinds of marks in the picture, in a row above it. */
function legend(events: readonly LineEvent[]): Markup[] {
  const names = new Set(events.map(({ event }) => event));
  let x = 12;
  return Object.entries(styles)
    .filter(([name]) => names.has(name))
    .flatMap(([name, [shape, tone]]) => {
      const at = x;
      x += 24 + eventWord(name).length * 6.7 + 12;
      return [
        element("path", { class: tone, d: outline(shape, at + 6, 12) }),
        element("text", { class: "ink", x: at + 16, y: 16 }, eventWord(name)),
      ];
    });
}

function sentenceOf(events: readonly LineEvent[], changes: number, rows: number): string {
  if (events.length === 0) {
    return "Nothing has happened yet.";
  }
  const all = new Set(events.map(laneOf)).size;
  const left = all > rows ? ` The first ${rows} of ${all} rows are drawn.` : "";
  const most = events.length > marksMax ? ` The first ${marksMax} events are drawn.` : "";
  return (
    `${events.length} events after ${changes} ${changes === 1 ? "change" : "changes"} of the announcements, by the ` +
    `controller's clock; bar width shows the time uncertainty.${left}${most}`
  );
}
