/** Formats of other programs in which traces are written, by the name that `-o` and `format=` take. */
import { atlasResult } from "./atlas.ts";
import { irisTraceroute, mtrReport } from "./lines.ts";
import type { Trace } from "./trace.ts";
import { WartsWriter } from "./warts.ts";

export const exportForms = ["warts", "atlas", "iris", "mtr"] as const;
export type ExportForm = (typeof exportForms)[number];

export function isExportForm(name: string): name is ExportForm {
  return (exportForms as readonly string[]).includes(name);
}

interface TraceWriter {
  readonly trace: (trace: Trace) => Uint8Array;
  readonly end: () => Uint8Array;
}

export function traceWriter(form: ExportForm): TraceWriter {
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
