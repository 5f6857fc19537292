/** Parts of a command's description that help, the docs page and man pages share. Pure. */
import { fullName } from "./complain.ts";
import { exitCodes, exitMeanings, type Outcome } from "./exit-codes.ts";
import { type Command, type Description, isRequired, type Option, optionName } from "./table.ts";

export function shownOptions({ options = {} }: Pick<Description, "options">): [string, Option][] {
  return Object.entries(options).filter(([, { hidden }]) => hidden !== true);
}

/** `vantage trace [options] TARGET...`. */
export function usageLine(name: string, command: Command): string {
  const { arguments: table = {}, subcommands = [], options = {} } = command;
  const needed = Object.entries(options).filter(([, option]) => isRequired(option));
  const words = Object.values(table).map(({ kind, placeholder = kind.placeholder, required, many }) => {
    const word = many ? `${placeholder}...` : placeholder;
    return required ? word : `[${word}]`;
  });
  const word = command.run === null ? "COMMAND" : "[COMMAND]";
  return [
    fullName(name),
    ...(subcommands.length === 0 ? [] : [word]),
    ...needed.map(([option, described]) => optionHeads(option, described).long),
    ...(name === "" && command.run === null ? [] : ["[options]"]),
    ...words,
  ].join(" ");
}

/** `{ short: "w", long: "--wait, --no-wait" }`, `{ short: null, long: "--rate N" }`. */
export function optionHeads(name: string, option: Option): { short: string | null; long: string } {
  const { short = null } = option;
  if (!("flag" in option)) {
    return { short, long: `--${optionName(name)} ${option.placeholder ?? option.kind.placeholder}` };
  }
  const on = `--${optionName(name)}`;
  const off = `--no-${optionName(name)}`;
  if (option.default === true) {
    return { short, long: off };
  }
  return { short, long: option.default === false ? on : `${on}, ${off}` };
}

/** With the default, and with the permitted words if the meaning does not list them. */
export function optionMeaning(option: Option): string {
  if ("flag" in option) {
    return option.meaning;
  }
  const { meaning, kind, multiple } = option;
  const { values } = kind;
  const choices =
    typeof values === "string" || values.every((word) => meaning.includes(word))
      ? ""
      : `: ${values.join(", ")}`;
  const remarks = [...(multiple ? ["may be repeated"] : []), ...defaultOf(option)];
  return `${meaning}${choices}${remarks.length === 0 ? "" : ` (${remarks.join("; ")})`}`;
}

function defaultOf({ default: value, defaultText }: Option & { defaultText?: string }): string[] {
  if (defaultText !== undefined) {
    return [`default: ${defaultText}`];
  }
  return typeof value === "string" || typeof value === "number" ? [`default: ${value}`] : [];
}

/** Each command line with its effect, or `` where that is obvious. */
export function examplesOf({ examples = [] }: Description): (readonly [line: string, does: string])[] {
  return examples.map((example) => (typeof example === "string" ? [example, ""] : example));
}

/** Each exit code of the command, and its meaning here. */
export function exitsOf({ exits = {}, options = {} }: Command): [number, string][] {
  const usual =
    "config" in options ? { ...exitMeanings, usage: "wrong usage or configuration" } : exitMeanings;
  const all: Partial<Record<Outcome, string>> = { ...usual, ...exits };
  return Object.entries(exitCodes).flatMap(([outcome, code]) => {
    const meaning = all[outcome as Outcome];
    return meaning === undefined ? [] : [[code, meaning]];
  });
}

/** `Exit codes: 0 done; 1 failure; 2 wrong usage.` */
export function exitSentence(command: Command): string {
  return `Exit codes: ${exitsOf(command)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join("; ")}.`;
}
