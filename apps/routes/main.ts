/** `vantage routes`: what BGP sessions have said. */
import { defineCommand, defineGroup, subcommand } from "../../lib/command/command.ts";
import { cannot } from "../../lib/command/command-error.ts";
import { complain } from "../../lib/command/complain.ts";
import { exitCodes } from "../../lib/command/exit-codes.ts";
import { formatOption } from "../../lib/command/format-option.ts";
import { file } from "../../lib/command/kinds.ts";
import { DataFileError } from "../../lib/context/data-file-error.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { printLine } from "../../lib/terminal/output.ts";
import { RowsOutput } from "../../lib/terminal/rows-output.ts";
import { lookup } from "./lookup.ts";
import { rejected } from "./rejected.ts";
import { routeColumns } from "./route-columns.ts";
import { routeEvents } from "./route-file.ts";
import { watch } from "./watch.ts";

const readCommand = defineCommand({
  about: `Shows the announcements, withdrawals and changes of sessions in files: updates in MRT, as RIPE RIS, \
RouteViews and BIRD's mrtdump write them (BGP4MP), and what a router has sent by BMP. Files may be compressed with \
gzip or bzip2. A broken file is read up to the place that the error names. More: docs/routes.md.`,
  options: formatOption,
  arguments: {
    files: { kind: file, many: true, required: true, meaning: "MRT updates, or BMP" },
  },
  notes: `Routes of unicast, with path ids too. \`table\` is the table of the router: Adj-RIB-In (in), Adj-RIB-In \
after the policy (in-post-policy), Adj-RIB-Out (out), Loc-RIB (local).`,
  examples: ["vantage routes read updates.20261122.0000.gz", "vantage routes read -o ndjson bird.mrt"],
  act: async ({ files, output: format }) => {
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns: routeColumns, format, print: printLine, dim });
    const counts = { events: 0, otherRecords: 0 };
    try {
      for (const path of files) {
        try {
          for await (const event of routeEvents(path, counts)) {
            rows.add(event);
          }
        } catch (cause) {
          throw cause instanceof DataFileError ? cannot(`Cannot read ${path}: ${cause.message}`) : cause;
        }
      }
    } finally {
      rows.finish();
    }
    if (counts.otherRecords > 0) {
      complain("routes read", `${counts.otherRecords} records of other kinds were passed over`);
    }
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  about: "Routes as BGP sessions announce and withdraw them.",
  subcommands: [
    subcommand("read", "show what files of MRT or BMP hold", readCommand),
    subcommand("lookup", "show the paths that routers have to a prefix", lookup),
    subcommand("rejected", "show the routes that routers have rejected", rejected),
    subcommand("watch", "show each change of the routes to a prefix, live", watch),
  ],
  examples: ["vantage routes read updates.20261122.0000.gz", "vantage routes lookup 2001:db8:51::/48"],
});
