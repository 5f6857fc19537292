/** `vantage experiment timeline`: both planes in the order of their times. */
import { defineCommand } from "../../../lib/command/command.ts";
import { complain } from "../../../lib/command/complain.ts";
import { exitCodes } from "../../../lib/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/format-option.ts";
import type { KeptEvent } from "../../../lib/experiment/journal.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { readJournal } from "./journal.ts";
import { journalArgument, printed } from "./printed.ts";

const eventColumns: readonly Column<KeptEvent>[] = [
  { name: "time_ns", head: null, value: ({ timeNs }) => timeNs },
  { name: "time", head: "time (UTC)", value: ({ timeNs }) => timeText(timeNs) },
  { name: "plane", head: "plane", value: ({ plane }) => plane },
  { name: "source", head: "source", value: ({ source }) => source },
  { name: "subject", head: "subject", value: ({ subject }) => subject },
  { name: "event", head: "event", value: ({ event }) => event },
  { name: "detail", head: "detail", value: ({ detail }) => detail },
];

export const timeline = defineCommand({
  about:
    "Both planes in the order of their times: what was asked, what daemons and exchange servers made of it, what " +
    "probes showed. Times are of the source's own clock.",
  options: formatOption,
  arguments: { journal: journalArgument },
  examples: ["vantage experiment timeline prepend.yaml.journal -o csv"],
  act: async ({ journal, output: format }) => {
    const { events } = readJournal(journal);
    const sorted = events.toSorted((a, b) => Number(BigInt(a.timeNs) - BigInt(b.timeNs)));
    printed(eventColumns, sorted, format);
    if (events.length === 0) {
      complain("experiment timeline", "nothing has happened yet");
    }
    return exitCodes.ok;
  },
});

/** Milliseconds, UTC. */
function timeText(timeNs: string): string {
  return new Date(Number(BigInt(timeNs) / 1_000_000n)).toISOString();
}
