/** What `vantage trace --watch` shows, as lines that fit a terminal, and how keys change it. Pure. */
import type { AddressNotes } from "../../../../lib/answers/enrich/address-context.ts";
import type { Palette } from "../../../../lib/base/terminal/colour.ts";
import { columnsOf, padded } from "../../../../lib/base/terminal/text.ts";
import { hopColumns } from "./hop-columns.ts";
import type { HopFigures, WatchedPath } from "./hop-figures.ts";

const sorts = ["hop", "loss", "mean", "worst"] as const;

export interface WatchState {
  readonly isPaused: boolean;
  readonly isHelp: boolean;
  /** Null = all flows together. */
  readonly flow: number | null;
  readonly sort: (typeof sorts)[number];
  /** The chosen row, from 0. */
  readonly row: number;
  /** Hops whose routers are shown one by one. */
  readonly expanded: ReadonlySet<number>;
}

export const firstState: WatchState = {
  ...{ isPaused: false, isHelp: false, flow: null, sort: "hop", row: 0, expanded: new Set() },
};

interface Shown {
  readonly title: string;
  readonly watched: WatchedPath;
  readonly flows: number;
  readonly notes: AddressNotes;
  readonly rows: number;
  readonly columns: number;
}

const help = [
  "p, space   pause, resume",
  "up, down   choose a hop (also k, j)",
  "enter, e   show the routers of the hop",
  "f          the next flow, then all again",
  "s          sort by hop, loss, mean, worst",
  "h, ?       this help",
  "q, Ctrl-C  quit",
];

/** The state after a key; null = quit. Other keys change nothing. */
export function afterKey(
  key: string,
  state: WatchState,
  { watched, flows }: Pick<Shown, "watched" | "flows">,
) {
  const hops = sorted(watched.hops(state.flow), state);
  switch (key) {
    case "q":
      return null;
    case "p":
    case " ":
      return { ...state, isPaused: !state.isPaused };
    case "h":
    case "?":
      return { ...state, isHelp: !state.isHelp };
    case "f":
      return { ...state, flow: nextFlow(state.flow, flows) };
    case "s":
      return { ...state, sort: sorts[(sorts.indexOf(state.sort) + 1) % sorts.length] ?? "hop" };
    case "j":
    case "\x1b[B":
      return { ...state, row: Math.max(0, Math.min(hops.length - 1, state.row + 1)) };
    case "k":
    case "\x1b[A":
      return { ...state, row: Math.max(0, state.row - 1) };
    case "e":
    case "\r":
      return { ...state, expanded: toggled(state.expanded, hops[state.row]?.ttl) };
    default:
      return state;
  }
}

function nextFlow(flow: number | null, flows: number): number | null {
  const next = flow === null ? 0 : flow + 1;
  return next < flows ? next : null;
}

function toggled(set: ReadonlySet<number>, ttl: number | undefined): ReadonlySet<number> {
  const next = new Set(set);
  if (ttl !== undefined && !next.delete(ttl)) {
    next.add(ttl);
  }
  return next;
}

function sorted(hops: readonly HopFigures[], { sort }: WatchState): HopFigures[] {
  const key = {
    hop: ({ ttl }: HopFigures) => ttl,
    loss: ({ lossPercent }: HopFigures) => -lossPercent,
    mean: ({ meanMs }: HopFigures) => -(meanMs ?? -1),
    worst: ({ worstMs }: HopFigures) => -(worstMs ?? -1),
  }[sort];
  return [...hops].sort((a, b) => key(a) - key(b) || a.ttl - b.ttl);
}

/** As many lines as the terminal has rows, at most; the caller cuts them to its columns. */
export function watchLines(shown: Shown, state: WatchState, palette: Palette): string[] {
  const { watched, rows } = shown;
  const flow = state.flow === null ? `all ${shown.flows} flows` : `flow ${state.flow + 1} of ${shown.flows}`;
  const words = [`${watched.cycles} cycles`, flow, `by ${state.sort}`, ...(state.isPaused ? ["paused"] : [])];
  const head = [palette.bold(shown.title), palette.dim(`${words.join(", ")}; h: help, q: quit`)];
  const room = Math.max(0, rows - head.length);
  const body = state.isHelp ? help : tableLines(shown, state, palette, room);
  return [...head, ...body.slice(0, room)].slice(0, Math.max(1, rows));
}

function tableLines(shown: Shown, state: WatchState, palette: Palette, room: number): string[] {
  const { watched, notes } = shown;
  const hops = sorted(watched.hops(state.flow), state);
  const lines = hops.flatMap((hop, row) => {
    const inside = state.expanded.has(hop.ttl) ? watched.routers(hop.ttl, state.flow) : [];
    return [{ hop, row }, ...inside.map((router) => ({ hop: router, row: null }))];
  });
  const columns = hopColumns(notes, "table").filter(({ head }) => head !== null);
  const cells = lines.map(({ hop, row }) =>
    columns.map((column) => {
      const text = (column.cell ?? column.text ?? ((one: HopFigures) => String(column.value(one))))(hop);
      return row === null && column.name === "ttl" ? "" : text;
    }),
  );
  const widths = columns.map(({ head }, i) =>
    Math.max(columnsOf(head ?? ""), ...cells.map((line) => columnsOf(line[i] ?? ""))),
  );
  const joined = (line: readonly string[]) =>
    line
      .map((cell, i) => padded(cell, widths[i] ?? 0, columns[i]?.align === "right" ? "left" : "right"))
      .join("  ");
  const texts = lines.map(({ row }, i) => {
    const text = `${row === state.row ? "›" : " "} ${joined(cells[i] ?? [])}`;
    return row === state.row ? palette.bold(text) : text;
  });
  const chosen = lines.findIndex(({ row }) => row === state.row);
  const from = Math.max(0, Math.min(chosen - Math.floor((room - 1) / 2), texts.length - (room - 1)));
  return [palette.dim(`  ${joined(columns.map(({ head }) => head ?? ""))}`), ...texts.slice(from)];
}
