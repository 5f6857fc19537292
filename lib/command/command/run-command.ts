/** Finds the command and runs it; prints failures in the same way for all. */
import { systemReason } from "../../base/failure/system-reason.ts";
import { printLine } from "../../base/terminal/output.ts";
import { ConfigError } from "../../engines/config/config-error.ts";
import { nearest } from "../../engines/config/nearest.ts";
import { quoted } from "../../engines/config/quoted.ts";
import { CommandError, wrongUsage } from "./command-error.ts";
import { complain, fullName } from "./complain.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { helpText } from "./help-text.ts";
import { asksForHelp, tokensOf } from "./parse.ts";
import type { Command, CommandEntry, OptionTable } from "./table.ts";

/** Errors of JavaScript that indicate bugs: the stack is more useful than the message. */
const bugs = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Commands listed in a message: one line. */
const listedMax = 10;

/** `name`: the preceding words, `` for the executable itself. Resolves to the exit code. */
export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  name: string,
): Promise<ExitCode> {
  const { command } = await entry.load();
  try {
    return await runLoaded({ ...entry, command, name }, args);
  } catch (error) {
    return failedBy(name, error);
  }
}

interface Called {
  readonly name: string;
  readonly purpose: string;
  readonly command: Command;
}

async function runLoaded({ name, purpose, command }: Called, args: readonly string[]): Promise<ExitCode> {
  const { subcommands = [], run, options = {} } = command;
  const at = subcommands.length === 0 ? -1 : await wordAmong(args, command);
  const word = args[at];
  if (word !== undefined) {
    const entry = subcommandOf(word, command);
    return await runCommand(entry, args.toSpliced(at, 1), `${name} ${entry.name}`.trim());
  }
  if (asksForHelp(args, options)) {
    printLine(helpText({ name, purpose, command }));
    return exitCodes.ok;
  }
  if (run === null) {
    return missingSubcommand(args, subcommands);
  }
  return await run(args, { name });
}

/** Index of the first argument that is neither an option nor an option's value; -1 = none. */
async function wordAmong(args: readonly string[], command: Command): Promise<number> {
  if (args[0]?.startsWith("-") !== true) {
    return args.length === 0 ? -1 : 0;
  }
  if (args.every(isSurelyOption)) {
    return -1;
  }
  const all = await optionsBelow(command);
  return tokensOf(args, all).find(({ kind }) => kind === "positional")?.index ?? -1;
}

/** Options without values only, so no subcommand: `vantage --help` loads no command. */
function isSurelyOption(arg: string): boolean {
  return arg.startsWith("-") && arg !== "-" && arg !== "--";
}

/** Options may also precede a subcommand's name; its own table defines which of them have a value. */
async function optionsBelow({ options = {}, subcommands = [] }: Command): Promise<OptionTable> {
  const loaded = await Promise.all(subcommands.map(({ load }) => load()));
  const below = await Promise.all(loaded.map(({ command }) => optionsBelow(command)));
  return Object.assign({}, ...below, options) as OptionTable;
}

/** Throws CommandError `usage` with the probable name. */
function subcommandOf(word: string, { subcommands = [], elsewhere = {} }: Command): CommandEntry {
  const found = subcommands.find(({ name }) => name === word);
  if (found !== undefined) {
    return found;
  }
  const line = Object.entries(elsewhere).find(([name]) => name === word)?.[1];
  if (line !== undefined) {
    throw wrongUsage(`there is no command ${quoted(word)} here: use ${line}`);
  }
  const alias = subcommands.find(({ otherNames = [] }) => otherNames.includes(word));
  const meant = alias?.name ?? nearest(word, namesOf(subcommands));
  const known = subcommands.length > listedMax ? "" : `: give one of ${namesOf(subcommands).join(", ")}`;
  throw wrongUsage(
    `there is no command ${quoted(word)}${meant === null ? known : `; did you mean "${meant}"?`}`,
  );
}

function missingSubcommand(args: readonly string[], subcommands: readonly CommandEntry[]): ExitCode {
  const [option] = args;
  throw wrongUsage(
    option === undefined
      ? `COMMAND is missing: give one of ${namesOf(subcommands).join(", ")}`
      : `there is no option ${quoted(option)}`,
  );
}

function namesOf(subcommands: readonly CommandEntry[]): string[] {
  return subcommands.map(({ name }) => name);
}

/** Prints why a command failed, and the next step; rethrows bugs. */
function failedBy(command: string, error: unknown): ExitCode {
  if (!(error instanceof Error) || bugs.some((bug) => error instanceof bug)) {
    throw error;
  }
  if (error instanceof CommandError && error.code === "usage") {
    return usageFailure(command, error.message);
  }
  const lines = error instanceof ConfigError ? error.message.split("\n") : [wordsOf(error)];
  for (const line of lines) {
    complain(command, line);
  }
  return error instanceof ConfigError ? exitCodes.usage : exitCodes.failure;
}

/** For errors without their own message: a system error contains its path. */
function wordsOf(error: Error): string {
  const words = systemReason(error);
  const isRaw = words !== error.message && !(error instanceof CommandError);
  return isRaw && "path" in error
    ? `Cannot use ${error.path}: ${words}`
    : isRaw
      ? `Cannot continue: ${words}`
      : words;
}

/** Prompts end with punctuation already. */
function usageFailure(command: string, message: string): ExitCode {
  const help = `ee ${fullName(command)} --help`;
  complain(command, message.endsWith("?") ? `${message} S${help}` : `${message}; s${help}`);
  return exitCodes.usage;
}
