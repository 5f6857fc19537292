/** The output of `--help`, from a command's table. Pure. */
import { fullName } from "./complain.ts";
import {
  examplesOf,
  exitSentence,
  optionHeads,
  optionMeaning,
  shownOptions,
  usageLine,
} from "./description.ts";
import type { Command, CommandEntry } from "./table.ts";

const columnsMax = 118;
const headColumns = 30;

interface Help {
  /** `` for the executable itself. */
  readonly name: string;
  readonly purpose: string;
  readonly command: Command;
}

export function helpText({ name, purpose, command }: Help): string {
  const { about, notes } = command;
  const examples = examplesOf(command);
  const below = subcommandLines(command);
  const parts = [
    `${fullName(name)}: ${purpose}`,
    `  ${usageLine(name, command)}`,
    ...(about === undefined ? [] : [paragraphs(about)]),
    ...(below === "" ? [] : [below]),
    [...argumentLines(command), ...optionLines(command)].join("\n"),
    ...(notes === undefined ? [] : [paragraphs(notes)]),
    ...(examples.length === 0 ? [] : [`Examples\n${exampleLines(examples)}`]),
    ...(command.run === null ? [] : [wrapped(exitSentence(command), columnsMax).join("\n")]),
  ];
  return parts.join("\n\n");
}

/** Lines that start with a space stay unchanged. */
function paragraphs(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : wrapped(line, columnsMax)))
    .join("\n");
}

/** One table, or one per group with common column widths. */
function subcommandLines({ subcommands = [], groups = [] }: Command): string {
  const width = Math.max(0, ...subcommands.map(({ name }) => name.length));
  const lines = (entries: readonly CommandEntry[]) =>
    entries.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`);
  if (groups.length === 0) {
    return lines(subcommands).join("\n");
  }
  const named = (names: readonly string[]) =>
    names.flatMap((wanted) => subcommands.filter(({ name }) => name === wanted));
  return groups.map(([heading, names]) => [heading, ...lines(named(names))].join("\n")).join("\n\n");
}

function argumentLines({ arguments: table = {} }: Command): string[] {
  return Object.values(table).flatMap(({ kind, placeholder = kind.placeholder, meaning }) =>
    row(`  ${placeholder}`, meaning),
  );
}

/** `  -o, --output FORMAT   …`. */
function optionLines(command: Command): string[] {
  const own = shownOptions(command).flatMap(([name, option]) => {
    const { short, long } = optionHeads(name, option);
    return row(`  ${short === null ? "   " : `-${short},`} ${long}`, optionMeaning(option));
  });
  return [...own, ...row("  -h, --help", "this text")];
}

/** Wraps the meaning in its column. */
function row(head: string, meaning: string): string[] {
  const [first = "", ...rest] = wrapped(meaning, columnsMax - headColumns);
  const padding = " ".repeat(headColumns);
  const isLong = head.length >= headColumns;
  return [
    ...(isLong ? [head, padding + first] : [head.padEnd(headColumns) + first]),
    ...rest.map((line) => padding + line),
  ];
}

function exampleLines(rows: readonly (readonly [line: string, does: string])[]): string {
  const width = Math.max(...rows.filter(([, does]) => does !== "").map(([line]) => line.length), 0);
  return rows
    .map(([line, does]) => `  ${does === "" ? line : `${line.padEnd(width)}  # ${does}`}`)
    .join("\n");
}

/** Wraps words to at most so many columns; a longer word gets its own line. Pure. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}
