/**
 * What a command is, as data: options, arguments, examples, exit codes. Parsing, help, completions, the page of docs
 * and man pages are made from it.
 *
 * Names in a table are camelCase, and so in what a command is given: `waitMs` is `--wait-ms` on the command line.
 * `-h` and `--help` belong to every command; `--no-X` switches off each flag `--X`.
 */
import type { ExitCode, Outcome } from "./exit-codes.ts";

/** What a value may be, for shells that complete it. */
export type CompletedValues = readonly string[] | "file" | "folder" | "any";

/** How the text of a value is read. */
export interface Kind<Value> {
  /** Stands for a value in help: `FILE`, `N`. */
  readonly placeholder: string;
  readonly values: CompletedValues;
  /** Throws UnfitValue, which says what the text is not: `is not a number from 1 to 9`. */
  readonly read: (text: string) => Value;
}

interface AnyOption {
  /** One letter or digit. */
  readonly short?: string;
  readonly meaning: string;
  /** For our own processes, not for people: neither help nor completions show it. */
  readonly hidden?: true;
  /** Other options of the table: it is wrong usage to give one of them too. */
  readonly notWith?: readonly string[];
  /** Another option of the table that must be given too. */
  readonly needs?: string;
}

/** Given without a value. Without a default it is null until it is given. */
interface Flag extends AnyOption {
  readonly flag: true;
  readonly default?: boolean;
}

/** Given with a value. Without a default it is null until it is given. */
export interface ValueOption<Value> extends AnyOption {
  readonly kind: Kind<Value>;
  /** In place of the kind's. */
  readonly placeholder?: string;
  readonly default?: Value;
  /** For help, where the default is not a text or a number, or depends on something: `80 for TCP`. */
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

/** What follows the options, in order; only the last one may take several values. */
export interface Argument<Value> {
  readonly kind: Kind<Value>;
  /** As the usage line has it, without dots and brackets. */
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

/** What a command line says, read: by the names of options and arguments. */
export type Given<Options, Arguments = object> = {
  readonly [Name in keyof Options]: GivenOption<Options[Name]>;
} & { readonly [Name in keyof Arguments]: GivenArgument<Arguments[Name]> };

/** What help, pages and shells show of a command, besides its name and purpose. */
export interface Description {
  /** Above the options: what the purpose leaves open. */
  readonly about?: string;
  readonly options?: OptionTable;
  readonly arguments?: ArgumentTable;
  /** Commands of a command. */
  readonly subcommands?: readonly CommandEntry[];
  /** How help arranges many of them: names under headings, each name once. */
  readonly groups?: readonly (readonly [heading: string, names: readonly string[]])[];
  /** Below the options: rules, formats. */
  readonly notes?: string;
  /** Command lines, alone or with what they do. */
  readonly examples?: readonly (string | readonly [line: string, does: string])[];
  /** What is meant here, where it is more than done, failure and wrong usage. */
  readonly exits?: Readonly<Partial<Record<Outcome, string>>>;
}

/** A command in the table of those that there are: loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  /** A few words, as `list your measurements`. */
  readonly purpose: string;
  /** Its names in other programs: the error for one of these suggests the right name. */
  readonly otherNames?: readonly string[];
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** The name of a running command, for its messages. */
export interface Run {
  /** `send`, or `peering prefix list`. */
  readonly name: string;
}

export interface Command extends Description {
  /** Takes the arguments behind the name; resolves to the exit code. Null: it has only commands of its own. */
  readonly run: ((args: readonly string[], run: Run) => Promise<ExitCode>) | null;
}

/** `waitMs` → `wait-ms`. */
export function optionName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
