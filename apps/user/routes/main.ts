/** `vantage routes`: what BGP sessions have said. */
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { counted } from "../../../lib/base/terminal/figures.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { CommandError } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { fileWords } from "../../../lib/command/command/file-chunks.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { file } from "../../../lib/command/command/kinds.ts";
import { DataFileError } from "../../../lib/measuring/context/data-file-error.ts";
import { lookup } from "./lookup.ts";
import { rejected } from "./rejected.ts";
import { routeColumns } from "./route-columns.ts";
import { RouteFiles } from "./route-file.ts";
import { search } from "./search.ts";
import { watch } from "./watch.ts";

const readCommand = defineCommand({
  about: `Shows the announcements, withdrawals and changes of sessions in files: updates in MRT, as RIPE RIS, \
RouteViews and BIRD's mrtdump write them (BGP4MP), and what a router has sent by BMP. Files may be compressed with \
gzip or bzip2. What cannot be read is skipped and counted, with its place; a file that ends early is read up to \
there. More: docs/measure/routes.md.`,
  options: formatOption,
  arguments: {
    files: { kind: file, many: true, required: true, meaning: "MRT updates, or BMP; - is standard input" },
  },
  exits: { failure: "failure, or nothing was read", partial: "damaged records were skipped" },
  notes: `Routes of unicast, with path ids too. \`table\` is the table of the router: Adj-RIB-In (in), Adj-RIB-In \
after the policy (in-post-policy), Adj-RIB-Out (out), Loc-RIB (local).`,
  examples: [
    "vantage routes read updates.20261122.0000.gz",
    "vantage routes read -o ndjson bird.mrt",
    "xz -dc updates.xz | vantage routes read -",
  ],
  act: async ({ files, output: format }) => {
    const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
    const rows = new RowsOutput({ columns: routeColumns, format, print: printLine, dim });
    const reader = new RouteFiles();
    const failures: string[] = [];
    try {
      for (const path of files) {
        const failure = await failureOf(path, async () => {
          for await (const event of reader.events(path)) {
            rows.add(event);
          }
        });
        failures.push(...failure);
      }
    } finally {
      rows.finish();
    }
    return report(reader, failures);
  },
});

/** Why a file could not be read to its end: the files behind it are read all the same. */
async function failureOf(path: string, read: () => Promise<void>): Promise<string[]> {
  try {
    await read();
    return [];
  } catch (cause) {
    if (cause instanceof DataFileError) {
      return [`Cannot read ${fileWords(path)}: ${cause.message}`];
    }
    if (cause instanceof CommandError) {
      return [cause.message];
    }
    throw cause;
  }
}

function report({ passedOver, otherRecords, messages }: RouteFiles, failures: readonly string[]): ExitCode {
  const other = otherRecords === 0 ? [] : [`${counted(otherRecords, "record")} of other kinds skipped`];
  const isNothing = messages === 0 && failures.length === 0;
  const nothing = "nothing was read: tables of MRT are read by vantage context update";
  for (const line of [...passedOver.lines(), ...other, ...failures, ...(isNothing ? [nothing] : [])]) {
    complain("routes read", line);
  }
  if (messages === 0 || failures.length > 0) {
    return exitCodes.failure;
  }
  return passedOver.hasDamage ? exitCodes.partial : exitCodes.ok;
}

export const command = defineGroup({
  about: "Routes as BGP sessions announce and withdraw them.",
  subcommands: [
    subcommand("read", "show what files of MRT or BMP hold", readCommand),
    subcommand("lookup", "show the paths that routers have to a prefix", lookup),
    subcommand("search", "show the paths with an origin, an AS or a community", search),
    subcommand("rejected", "show the routes that routers have rejected", rejected),
    subcommand("watch", "show each change of the routes to a prefix, live", watch),
  ],
  examples: ["vantage routes read updates.20261122.0000.gz", "vantage routes lookup 2001:db8:51::/48"],
});
