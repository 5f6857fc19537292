/**
 * Command lines: a table of options for each command. Arguments are read by it, and shells complete words by it.
 *
 * `-h` and `--help` belong to every command; `--no-X` switches off each switch `--X`.
 */
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";

export interface OptionDescription extends ParseArgsOptionDescriptor {
  /** What a value may be, for shells that complete it: one of some words, a file or a folder. */
  readonly values?: readonly string[] | "file" | "folder";
  /** For help: what stands for a value (`FILE`), and what the option is for. */
  readonly value?: string;
  readonly meaning?: string;
  /** For our own processes, not for people: neither help nor completions show it. */
  readonly hidden?: true;
}

export type OptionTable = Readonly<Record<string, OptionDescription>>;

type Arguments<Table extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Table; allowPositionals: true; allowNegative: true }>
>;

/** What was given, by the names of the options; each is absent, or as its table entry says. */
export type OptionValues<Table extends OptionTable> = Arguments<Table>["values"];

interface CommandLine<Table extends OptionTable, Options> {
  /** Without `help`. */
  readonly options: Table;
  /** Throws UsageError. */
  readonly check: (values: OptionValues<Table>, positionals: readonly string[]) => Options;
}

/** A command line that cannot be used; the message names what is wrong, and what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type ParsedCommandLine<Options> =
  | { readonly kind: "run"; readonly options: Options }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

const help = { type: "boolean", short: "h" } as const;

/** Reads the arguments behind a command's name. A wrong one gives a message of one line. */
export function parseCommandLine<const Table extends OptionTable, Options>(
  args: readonly string[],
  { options, check }: CommandLine<Table, Options>,
): ParsedCommandLine<Options> {
  try {
    const given = parseArgs({
      args: [...args],
      options: { ...options, help },
      allowPositionals: true,
      allowNegative: true,
    });
    const { values, positionals } = given as Arguments<Table>;
    if ("help" in values && values.help === true) {
      return { kind: "help" };
    }
    return { kind: "run", options: check(values, positionals) };
  } catch (error) {
    if (error instanceof UsageError || isParseError(error)) {
      return { kind: "wrong", message: inOneLine(error.message) };
    }
    throw error;
  }
}

function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** parseArgs explains itself in several lines; its advice on `--` helps nobody who has mistyped an option. */
function inOneLine(message: string): string {
  const [first = ""] = message.split(". To specify");
  return first.replaceAll("\n", " ").replace(/\.$/, "");
}
