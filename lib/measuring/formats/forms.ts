/** Formats of other programs, by the name that `-o` and `format=` take. */
import type { Steps } from "../../base/list/steps.ts";
import { ArrowJoin } from "./arrow-join.ts";
import { atlasPing, atlasTrace } from "./atlas.ts";
import { irisTraceroute, mtrReport } from "./lines.ts";
import { ParquetJoin } from "./parquet-join.ts";
import { type Trace, upToEnd } from "./trace.ts";
import { type WartsResult, WartsWriter } from "./warts.ts";
import { wartsPing } from "./warts-ping.ts";
import { wartsTrace } from "./warts-trace.ts";
import { wartsMultipath } from "./warts-tracelb.ts";

/** Any rows, as columns: the store writes them, part by part. */
export const columnForms = ["parquet", "arrow"] as const;
export type ColumnForm = (typeof columnForms)[number];

export function isColumnForm(name: string): name is ColumnForm {
  return (columnForms as readonly string[]).includes(name);
}

/** What is not text: a terminal cannot show it. */
export function isBinaryForm(name: string): boolean {
  return name === "warts" || isColumnForm(name);
}

interface PartsJoin {
  readonly add: (part: Uint8Array) => Uint8Array;
  readonly end: () => Uint8Array;
}

export function partsJoin(form: ColumnForm): PartsJoin {
  return form === "parquet" ? new ParquetJoin() : new ArrowJoin();
}

/** Traces, and some of them pings and multipaths, as other programs have them. */
export const traceForms = ["warts", "atlas", "iris", "mtr"] as const;
export type TraceForm = (typeof traceForms)[number];
/** The graph of links. */
const graphForms = ["dot", "graphml", "svg"] as const;
export const programForms = [...traceForms, ...graphForms] as const;
export type ProgramForm = (typeof programForms)[number];

export function isTraceForm(name: string): name is TraceForm {
  return (traceForms as readonly string[]).includes(name);
}

export function isProgramForm(name: string): name is ProgramForm {
  return (programForms as readonly string[]).includes(name);
}

/** Makes a file of rows that a view has, one after the other. */
export interface ProgramWriter {
  readonly row: (row: object) => Uint8Array;
  readonly end: () => Uint8Array;
  /** The same in steps; absent = it is short. */
  readonly ending?: () => Steps<Uint8Array>;
}

/** By form. */
export type ProgramWriters = Readonly<Partial<Record<ProgramForm, () => ProgramWriter>>>;

export const traceWriters = {
  warts: toEnds(warts(wartsTrace)),
  atlas: toEnds(lines(atlasTrace)),
  iris: toEnds(lines(irisTraceroute)),
  mtr: toEnds(lines(mtrReport)),
} as const satisfies ProgramWriters;

export const pingWriters = {
  warts: warts(wartsPing),
  atlas: lines(atlasPing),
} as const satisfies ProgramWriters;

export const multipathWriters = { warts: warts(wartsMultipath) } as const satisfies ProgramWriters;

/** Traces as far as their flows go; a round that was sent wholly beyond that is left out. */
function toEnds(make: () => ProgramWriter): () => ProgramWriter {
  return () => {
    const writer = make();
    const row = (given: object) => {
      const [whole, trace] = [given as Trace, upToEnd(given as Trace)];
      const isBeyond = extentOf(whole) > 0 && extentOf(trace) === 0;
      return isBeyond ? new Uint8Array() : writer.row(trace);
    };
    return { row, end: () => writer.end() };
  };
}

function extentOf({ probes, replies }: Trace): number {
  return probes.length + replies.length;
}

/** Rows have the schema of their view. */
function warts<Row extends object>(result: (row: Row) => WartsResult): () => ProgramWriter {
  return () => {
    const writer = new WartsWriter();
    return { row: (row) => writer.add(result(row as Row)), end: () => writer.end() };
  };
}

function lines<Row extends object>(object: (row: Row) => object): () => ProgramWriter {
  return () => ({
    row: (row) => Buffer.from(`${JSON.stringify(object(row as Row))}\n`),
    end: () => new Uint8Array(),
  });
}
