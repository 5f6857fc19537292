/** Formats of other programs, by the name that `-o` and `format=` take. */
import { ArrowJoin } from "./arrow-join.ts";
import { atlasResult } from "./atlas.ts";
import { irisTraceroute, mtrReport } from "./lines.ts";
import { ParquetJoin } from "./parquet-join.ts";
import type { Trace } from "./trace.ts";
import { WartsWriter } from "./warts.ts";

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

/** Traces, as other programs have them. */
export const programForms = ["warts", "atlas", "iris", "mtr"] as const;
export type ProgramForm = (typeof programForms)[number];

export function isProgramForm(name: string): name is ProgramForm {
  return (programForms as readonly string[]).includes(name);
}

interface TraceWriter {
  readonly trace: (trace: Trace) => Uint8Array;
  readonly end: () => Uint8Array;
}

export function traceWriter(form: ProgramForm): TraceWriter {
  switch (form) {
    case "warts":
      return new WartsWriter();
    case "atlas":
      return lines(atlasResult);
    case "iris":
      return lines(irisTraceroute);
    case "mtr":
      return lines(mtrReport);
  }
}

function lines(object: (trace: Trace) => object): TraceWriter {
  return {
    trace: (trace) => Buffer.from(`${JSON.stringify(object(trace))}\n`),
    end: () => new Uint8Array(),
  };
}
