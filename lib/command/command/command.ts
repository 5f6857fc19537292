/**
 * The frame of every command: its table defines parsing, help, completions, the docs page and a man page.
 *
 *     export const command = defineCommand({
 *       options: { rate: { kind: number(1, 1000), default: 10, meaning: "probes a second" } },
 *       arguments: { targets: { kind: text, many: true, required: true, meaning: "addresses or host names" } },
 *       examples: ["vantage trace example.org"],
 *       act: async ({ rate, targets }) => exitCodes.ok,
 *     });
 */
import type { ExitCode } from "./exit-codes.ts";
import { parseGiven } from "./parse.ts";
import type { ArgumentTable, Command, CommandEntry, Description, Given, OptionTable, Run } from "./table.ts";

export interface CommandTable<Options extends OptionTable, Arguments extends ArgumentTable>
  extends Description {
  readonly options: Options;
  readonly arguments: Arguments;
  /** Resolves to the exit code. Errors are printed in one line: see run-command.ts. */
  readonly act: (given: Given<Options, Arguments>, run: Run) => Promise<ExitCode> | ExitCode;
}

export function defineCommand<const Options extends OptionTable, const Arguments extends ArgumentTable>(
  table: CommandTable<Options, Arguments>,
): Command {
  const { act, ...description } = table;
  return {
    ...description,
    run: async (args, run) => await act(parseGiven(args, table.options, table.arguments), run),
  };
}

/** A command that only has subcommands. */
export function defineGroup(description: Description & Required<Pick<Description, "subcommands">>): Command {
  return { ...description, run: null };
}

/** A subcommand in its parent's file. */
export function subcommand(name: string, purpose: string, command: Command): CommandEntry {
  return { name, purpose, load: () => Promise.resolve({ command }) };
}
