/** `vantage context`: context of addresses by day: their AS, exchange, place and RPKI state. */
import { parseCommandLine } from "../../lib/config/command-line.ts";
import { failedBy } from "../../lib/config/config-source.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { ContextFolder, setsMax } from "../../lib/context/disk/context-folder.ts";
import { sourceKinds } from "../../lib/context/read-source.ts";
import { formatAddress } from "../../lib/ip/address.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { grouped } from "../../lib/terminal/figures.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { type Column, type Format, RowsOutput } from "../../lib/terminal/rows-output.ts";
import { lookupColumns, statusColumns } from "./columns.ts";
import { type ContextCommand, commandOf, options } from "./options.ts";
import { update } from "./update.ts";

export { options, words } from "./options.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, ContextCommand>(args, { options, check: commandOf });
  if (parsed.kind === "help") {
    const usage = "update FILE… | status | lookup ADDRESS… [options]";
    printLine(
      helpText({
        name: "context",
        purpose: "look up the AS, exchange and place of addresses",
        usage,
        options,
        more,
      }),
    );
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage context: ${parsed.message} (see: vantage context --help)`);
    return exitCodes.usage;
  }
  try {
    return await execute(parsed.options);
  } catch (error) {
    return failedBy("context", error);
  }
}

async function execute(command: ContextCommand): Promise<number> {
  switch (command.kind) {
    case "update":
      return await make(command);
    case "status":
      return status(command);
    case "lookup":
      return lookup(command);
  }
}

async function make(command: ContextCommand & { readonly kind: "update" }): Promise<number> {
  const { date, counts } = await update({ ...command, note: (line) => printErrorLine(line) });
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const said = parts.map(
    ([name, count]) => `${grouped(count)} ${name.replace(/[A-Z]/g, (x) => ` ${x.toLowerCase()}`)}`,
  );
  printLine(`set of ${date} in ${command.dir}: ${said.join(", ") || "empty"}`);
  return exitCodes.ok;
}

function status({ dir, format }: ContextCommand & { readonly kind: "status" }): number {
  const folder = new ContextFolder(dir);
  const output = outputOf(statusColumns, format);
  for (const date of folder.dates()) {
    const manifest = folder.manifest(date);
    for (const source of manifest.sources) {
      output.add({ manifest, source });
    }
  }
  output.finish();
  if (output.rows === 0) {
    printErrorLine(`vantage context: no set in ${dir}; make one with: vantage context update FILE…`);
  }
  return exitCodes.ok;
}

function lookup({ dir, date, addresses, format }: ContextCommand & { readonly kind: "lookup" }): number {
  const folder = new ContextFolder(dir);
  const day = folder.dateFor(date);
  if (day === null) {
    throw new Error(`no set in ${dir}: make one with: vantage context update FILE…`);
  }
  const set = folder.open(day);
  const output = outputOf(lookupColumns, format);
  for (const address of addresses) {
    output.add({ address: formatAddress(address), date: day, context: set.lookup(address) });
  }
  output.finish();
  return exitCodes.ok;
}

function outputOf<Row>(columns: readonly Column<Row>[], format: Format): RowsOutput<Row> {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  return new RowsOutput({ columns, format, print: printLine, dim });
}

const more = `Files: ${sourceKinds.join(", ")}; packed by gzip or bzip2, too. Which one a file is shows in its content.
One set a day is kept, ${setsMax} of them. A bad file is refused whole, and the old set stays. Nothing is fetched.
Rules and fields: docs/context.md.

Examples
  vantage context update rib.20261122.0000.bz2 vrps.json ixpfx.json ixlan.json ix.json netixlan.json ipinfo_lite.csv.gz
  vantage context lookup 192.0.2.1 2001:db8::1
  vantage context lookup --date 2026-11-01 -o json 192.0.2.1

Exit codes: 0 done, 1 failure, 2 wrong usage.`;
