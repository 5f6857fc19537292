/**
 * A command as data: options, arguments, examples, exit codes. Parsing, help, completions, the docs page and man pages
 * are derived from it.
 *
 * Names in a table are camelCase, and so in what a command is given: `waitMs` is `--wait-ms` on the command line.
 * `-h` and `--help` belong to every command; `--no-X` switches off each flag `--X`.
 */
import type { ExitCode, Outcome } from "./exit-codes.ts";

/** Possible values, for completion by shells. */
export type CompletedValues = readonly string[] | "file" | "folder" | "any";

/** How a value's text is parsed. */
export interface Kind<Value> {
  /** Placeholder of the value in help: `FILE`, `N`. */
  readonly placeholder: string;
  readonly values: CompletedValues;
  /** Throws UnfitValue, such as `is not a number from 1 to 9`. */
  readonly read: (text: string) => Value;
}

interface AnyOption {
  /** One letter or digit. */
  readonly short?: string;
  readonly meaning: string;
  /** For our own processes: hidden from help and completions. */
  readonly hidden?: true;
  /** Conflicting options of the table. */
  readonly notWith?: readonly string[];
  /** Another option of the table that is required with it. */
  readonly needs?: string;
}

/** An option without a value. Without a default it is null unless given. */
interface Flag extends AnyOption {
  readonly flag: true;
  readonly default?: boolean;
}

/** An option with a value. Without a default it is null unless given. */
export interface ValueOption<Value> extends AnyOption {
  readonly kind: Kind<Value>;
  /** Overrides the kind's placeholder. */
  readonly placeholder?: string;
  readonly default?: Value;
  /** For help, when the default is not a text or a number, or is conditional: `80 for TCP`. */
  readonly defaultText?: string;
  readonly required?: true;
  /** May be repeated: its value is the list of all. */
  readonly multiple?: true;
}

export type Option = Flag | ValueOption<unknown>;
export type OptionTable = Readonly<Record<string, Option>>;

export function isRequired(option: Option): boolean {
  return "required" in option && option.required === true;
}

/** Arguments after the options, in order; only the last one may have several values. */
export interface Argument<Value> {
  readonly kind: Kind<Value>;
  /** Its name in the usage line, without dots and brackets. */
  readonly placeholder?: string;
  readonly meaning: string;
  readonly required?: true;
  readonly many?: true;
}

export type ArgumentTable = Readonly<Record<string, Argument<unknown>>>;

type GivenOption<One> = One extends { readonly flag: true }
  ? One extends { readonly default: boolean }
    ? boolean
    : boolean | null
  : One extends { readonly kind: Kind<infer Value> }
    ? One extends { readonly multiple: true }
      ? readonly Value[]
      : One extends { readonly required: true } | { readonly default: unknown }
        ? Value
        : Value | null
    : never;

type GivenArgument<One> = One extends { readonly kind: Kind<infer Value> }
  ? One extends { readonly many: true }
    ? readonly Value[]
    : One extends { readonly required: true }
      ? Value
      : Value | null
  : never;

/** The parsed command line, by the names of options and arguments. */
export type Given<Options, Arguments = object> = {
  readonly [Name in keyof Options]: GivenOption<Options[Name]>;
} & { readonly [Name in keyof Arguments]: GivenArgument<Arguments[Name]> };

/** A command's description in help, docs and shells, besides its name and purpose. */
export interface Description {
  /** Above the options: details of the purpose. */
  readonly about?: string;
  readonly options?: OptionTable;
  readonly arguments?: ArgumentTable;
  /** Subcommands. */
  readonly subcommands?: readonly CommandEntry[];
  /** Names that people expect among them, and the command line that does it. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Grouping of many subcommands in help: names under headings, each name once. */
  readonly groups?: readonly (readonly [heading: string, names: readonly string[]])[];
  /** Below the options: rules, formats. */
  readonly notes?: string;
  /** Command lines, alone or with their effect. */
  readonly examples?: readonly (string | readonly [line: string, does: string])[];
  /** Meanings beyond done, failure and wrong usage. */
  readonly exits?: Readonly<Partial<Record<Outcome, string>>>;
}

/** A command in the table of commands: loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  /** A few words, such as `list your measurements`. */
  readonly purpose: string;
  /** Its names in other programs: errors for these suggest the right name. */
  readonly otherNames?: readonly string[];
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** A running command's name, for its messages. */
export interface Run {
  /** `send`, or `peering prefix list`. */
  readonly name: string;
}

export interface Command extends Description {
  /** Runs it with the arguments after the name; resolves to the exit code. Null = it has only subcommands. */
  readonly run: ((args: readonly string[], run: Run) => Promise<ExitCode>) | null;
}

/** `waitMs` → `wait-ms`. */
export function optionName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
