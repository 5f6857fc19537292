/** A command's data for completion by shells. Pure. */
import type { DescribedCommand } from "../describe.ts";
import { shownOptions } from "../description.ts";
import { type Option, optionName } from "../table.ts";

export interface CompletedOption {
  readonly name: string;
  readonly short: string | null;
  /** Words, files or folders that a value may be; "any" = unknown; null = it has no value. */
  readonly values: readonly string[] | "file" | "folder" | "any" | null;
  readonly meaning: string;
}

export interface CompletedCommand {
  /** `peering prefix list`; `` for the executable itself. */
  readonly name: string;
  readonly options: readonly CompletedOption[];
  /** Subcommands, with their purposes. */
  readonly subcommands: readonly (readonly [name: string, purpose: string])[];
  /** Words that may follow the name, including subcommands; empty = files, or none that a shell could complete. */
  readonly words: readonly string[];
}

export function completedCommand({ name, command }: DescribedCommand): CompletedCommand {
  const subcommands = (command.subcommands ?? []).map((entry) => [entry.name, entry.purpose] as const);
  const [first] = Object.values(command.arguments ?? {});
  const values = first?.kind.values ?? [];
  return {
    name,
    options: shownOptions(command).map(completedOption),
    subcommands,
    words: [...subcommands.map(([word]) => word), ...(typeof values === "string" ? [] : values)],
  };
}

function completedOption([name, option]: [string, Option]): CompletedOption {
  const { short = null, meaning } = option;
  if (!("flag" in option)) {
    return { name: optionName(name), short, values: option.kind.values, meaning };
  }
  const spelled = option.default === true ? `no-${optionName(name)}` : optionName(name);
  return { name: spelled, short, values: null, meaning };
}

/** `-o` and `--output`. */
export function spellings({ name, short }: CompletedOption): string[] {
  return [...(short === null ? [] : [`-${short}`]), `--${name}`];
}

/** Text in the single quotes of any of the shells. */
export function singleQuoted(text: string, quoteInside: string): string {
  return `'${text.replaceAll("'", quoteInside)}'`;
}
