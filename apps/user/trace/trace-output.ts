/** Prints traces one by one: drawn for people, as an object each or as a row for each router for programs. */
import type { ContextField } from "../../../lib/answers/enrich/context-fields.ts";
import type { Palette } from "../../../lib/base/terminal/colour.ts";
import { type Format, RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { standardOutput, writePicture } from "../../../lib/command/command/picture-file.ts";
import { type TraceForm, traceWriters } from "../../../lib/measuring/formats/forms.ts";
import { pathPicture } from "../../../lib/measuring/pictures/path/path-picture.ts";
import type { PicturedPath } from "../../../lib/measuring/pictures/path/picture-path.ts";
import { traceRows } from "./program-rows.ts";
import { renderText, type TraceView } from "./render-text.ts";
import { picturedTrace, traceColumns, tracedRouterColumns, tracedRouters } from "./trace-columns.ts";

interface TraceOutputOptions {
  readonly format: Format;
  /** The format of another program, in place of it. */
  readonly program: TraceForm | null;
  /** With what each path carries. */
  readonly hasMtu?: boolean;
  /** File of a picture of all traces; null = none. */
  readonly svg: string | null;
  /** Its name there. */
  readonly measurement: string;
  /** Its id at the gateway; absent: this machine traces, and there is no column. */
  readonly measurementId?: string;
  readonly write: (bytes: Uint8Array) => void;
  readonly print: (text: string) => void;
  readonly palette: Palette;
  /** Context of addresses. */
  readonly fields: readonly ContextField[];
}

export class TraceOutput {
  readonly #options: TraceOutputOptions;
  readonly #add: (view: TraceView) => void;
  readonly #end: () => void;
  readonly #pictured: PicturedPath[] = [];

  constructor(options: TraceOutputOptions) {
    this.#options = options;
    const { format, print, palette, program, measurement, write } = options;
    const shared = { format, print, dim: palette.dim };
    const { measurementId } = options;
    const id =
      measurementId === undefined ? [] : [{ name: "measurement_id", head: null, value: () => measurementId }];
    if (program !== null) {
      const writer = traceWriters[program]();
      this.#add = (view) => traceRows(measurement, view).map((row) => write(writer.row(row)));
      this.#end = () => write(writer.end());
    } else if (format === "table") {
      this.#add = (view) => print(renderText(view, palette));
      this.#end = () => {};
    } else if (format === "csv") {
      const rows = new RowsOutput({ ...shared, columns: [...id, ...tracedRouterColumns(options.fields)] });
      this.#add = (view) => {
        for (const router of tracedRouters(view)) {
          rows.add(router);
        }
      };
      this.#end = () => rows.finish();
    } else {
      const rows = new RowsOutput({
        ...shared,
        columns: [...id, ...traceColumns(options.fields, options.hasMtu)],
      });
      this.#add = (view) => rows.add(view);
      this.#end = () => rows.finish();
    }
  }

  /** Whether the output is for people. */
  get isDrawn(): boolean {
    const { format, svg } = this.#options;
    return format === "table" && svg !== standardOutput;
  }

  print(view: TraceView): void {
    const { svg } = this.#options;
    if (svg !== null) {
      this.#pictured.push(picturedTrace(view));
    }
    if (svg !== standardOutput) {
      this.#add(view);
    }
  }

  /** To be called once, when there are no more traces. Throws CommandError where a picture cannot be written. */
  finish(): void {
    const { svg, write } = this.#options;
    if (svg !== standardOutput) {
      this.#end();
    }
    if (svg !== null) {
      writePicture(pathPicture(this.#pictured), svg, write);
    }
  }
}
