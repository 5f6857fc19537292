/** What `--watch`, `--report` and `--cycles` order. */
import type { Format } from "../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { isTraceForm, type TraceForm } from "../../../lib/measuring/formats/forms.ts";
import { reportCyclesDefault } from "./limits.ts";

export interface WatchOrder {
  /** On the whole screen, with keys. */
  readonly isDrawn: boolean;
  /** Printed at the end. */
  readonly isReported: boolean;
  /** Null = until the user quits. */
  readonly cycles: number | null;
}

interface WatchGiven {
  readonly watch: boolean;
  readonly report: boolean;
  readonly cycles: number | null;
  readonly output: Format | TraceForm;
}

/** Null = each target is traced once. Throws CommandError `usage`. */
export function watchOrderOf(
  { watch: isDrawn, report: isReported, cycles, output }: WatchGiven,
  targets: number,
): WatchOrder | null {
  if (!isDrawn && !isReported) {
    if (cycles !== null) {
      throw wrongUsage("--cycles requires --watch or --report");
    }
    return null;
  }
  if (targets > 1) {
    throw wrongUsage(`--watch and --report are of one target, not of ${targets}`);
  }
  if (isTraceForm(output)) {
    throw wrongUsage(`-o ${output} has single traces: leave out --watch and --report`);
  }
  if (!isReported && output !== "table") {
    throw wrongUsage(`-o ${output} is the form of a report: add --report`);
  }
  return { isDrawn, isReported, cycles: cycles ?? (isDrawn ? null : reportCyclesDefault) };
}

/** Throws CommandError where there is not a screen to draw on; to be called before anything is sent. */
export function checkScreen({ isDrawn }: WatchOrder): void {
  if (isDrawn && !(process.stdout.isTTY && process.stdin.isTTY)) {
    throw wrongUsage("--watch needs a terminal: give --report --cycles N where there is not one");
  }
}
