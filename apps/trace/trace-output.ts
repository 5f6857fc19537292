/** Prints traces one by one: drawn for people, as an object each or as a row for each router for programs. */
import type { ContextField } from "../../lib/enrich/context-fields.ts";
import { type TraceForm, traceWriters } from "../../lib/formats/forms.ts";
import type { Palette } from "../../lib/terminal/colour.ts";
import { type Format, RowsOutput } from "../../lib/terminal/rows-output.ts";
import { traceRows } from "./program-rows.ts";
import { renderText, type TraceView } from "./render-text.ts";
import { traceColumns, tracedRouterColumns, tracedRouters } from "./trace-columns.ts";

interface TraceOutputOptions {
  readonly format: Format;
  /** The format of another program, in place of it. */
  readonly program: TraceForm | null;
  /** Its name there. */
  readonly measurement: string;
  readonly write: (bytes: Uint8Array) => void;
  readonly print: (text: string) => void;
  readonly palette: Palette;
  /** What is known of addresses. */
  readonly fields: readonly ContextField[];
}

export class TraceOutput {
  readonly #options: TraceOutputOptions;
  readonly #add: (view: TraceView) => void;
  /** To be called once, when there are no more traces. */
  readonly finish: () => void;

  constructor(options: TraceOutputOptions) {
    this.#options = options;
    const { format, print, palette, program, measurement, write } = options;
    const shared = { format, print, dim: palette.dim };
    if (program !== null) {
      const writer = traceWriters[program]();
      this.#add = (view) => traceRows(measurement, view).map((row) => write(writer.row(row)));
      this.finish = () => write(writer.end());
    } else if (format === "table") {
      this.#add = (view) => print(renderText(view, palette));
      this.finish = () => {};
    } else if (format === "csv") {
      const rows = new RowsOutput({ ...shared, columns: tracedRouterColumns(options.fields) });
      this.#add = (view) => {
        for (const router of tracedRouters(view)) {
          rows.add(router);
        }
      };
      this.finish = () => rows.finish();
    } else {
      const rows = new RowsOutput({ ...shared, columns: traceColumns(options.fields) });
      this.#add = (view) => rows.add(view);
      this.finish = () => rows.finish();
    }
  }

  /** Whether people look at it. */
  get isDrawn(): boolean {
    return this.#options.format === "table";
  }

  print(view: TraceView): void {
    this.#add(view);
  }
}
