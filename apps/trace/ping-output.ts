/** Prints a ping: a line for each probe and a summary for people; rows of either kind for programs. */
import { RowsOutput } from "../../lib/terminal/rows-output.ts";
import type { Options } from "./options.ts";
import { pingColumns, pingSummaryColumns } from "./ping-columns.ts";
import type { PingEnding, Pinged } from "./ping-figures.ts";
import { pingLine, pingSummary } from "./render-ping.ts";

export class PingOutput {
  readonly ended: (ending: PingEnding) => void;
  /** Call it once, with all targets, at the end. */
  readonly finish: (all: readonly Pinged[]) => void;

  constructor(
    { output: format, summary }: Pick<Options, "output" | "summary">,
    print: (text: string) => void,
  ) {
    const shared = { format, print, dim: (text: string) => text };
    if (format === "table") {
      this.ended = summary ? () => {} : (ending) => print(pingLine(ending));
      this.finish = (all) => all.map(pingSummary).map(print);
    } else if (summary) {
      const rows = new RowsOutput({ ...shared, columns: pingSummaryColumns });
      this.ended = () => {};
      this.finish = (all) => {
        for (const one of all) {
          rows.add(one);
        }
        rows.finish();
      };
    } else {
      const rows = new RowsOutput({ ...shared, columns: pingColumns });
      this.ended = (ending) => rows.add(ending);
      this.finish = () => rows.finish();
    }
  }
}
