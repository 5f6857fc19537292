/** `vantage export`: a measurement's results in a permanent folder. */
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { Screen } from "../../../lib/base/terminal/screen.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { exportResults } from "./export/export-results.ts";
import { exportArguments, exportOptions, exportOrder } from "./export/options.ts";
import { verifyExport } from "./export/verify.ts";

export const command = defineCommand({
  about: `The folder has the replies of each day and the submitted probes as Parquet, the measurement as the gateway \
describes it, versions, licence and citation, and a manifest of checksums. The same results give the same bytes. It \
is made whole, or not at all.`,
  options: exportOptions,
  arguments: exportArguments,
  notes: `From a column store (--store, --config) the measurement's description is left out: only a gateway has it.`,
  examples: [
    'vantage export last --out west-2026 --licence CC-BY-4.0 --author "Example University"',
    "vantage export 6f1cf7a0 --out west-2026 --context ~/.local/share/vantage/context",
    "vantage export --verify west-2026",
  ],
  exits: { failure: "failure, or an export that has changed", interrupted: "interrupted" },
  act: async (given, { name }) => {
    if (given.verify !== null) {
      return await verify(given.verify);
    }
    return await exportResults(name, exportOrder(given));
  },
});

async function verify(folder: string): Promise<ExitCode> {
  const progress = new Screen(process.stderr.isTTY === true, process.stderr);
  const { differences, files, rows } = await verifyExport(folder, (name) => progress.draw(name));
  progress.clear();
  for (const difference of differences) {
    printLine(visible(difference));
  }
  if (differences.length > 0) {
    printLine(`${folder}: ${grouped(differences.length)} differences`);
    return exitCodes.failure;
  }
  printLine(`${folder}: ${grouped(files)} files, ${grouped(rows)} rows, as they were exported`);
  return exitCodes.ok;
}
