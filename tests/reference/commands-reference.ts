/** The page that says what each command takes, of docs that are built. Pure. */
import { fullName } from "../../lib/command/command/complain.ts";
import type { DescribedCommand } from "../../lib/command/command/describe.ts";
import {
  examplesOf,
  exitSentence,
  optionHeads,
  optionMeaning,
  shownOptions,
  usageLine,
} from "../../lib/command/command/description.ts";
import type { Command } from "../../lib/command/command/table.ts";

/** In Markdown. */
export function referencePage(commands: readonly DescribedCommand[]): string {
  const shown = commands.filter(({ name }) => name !== "");
  const rows = shown.map(({ name, purpose }) => `| [\`${name}\`](#${anchorOf(name)}) | ${cell(purpose)} |`);
  return [
    [
      "# Every command",
      "",
      "What they share: [command-line.md](command-line.md).",
      "",
      "| command | does |",
      "|---|---|",
      ...rows,
    ].join("\n"),
    ...shown.map(section),
  ].join("\n\n");
}

/** As GitHub makes it of a heading. */
function anchorOf(name: string): string {
  return fullName(name).replaceAll(" ", "-");
}

function section({ name, purpose, command }: DescribedCommand): string {
  const { about, notes } = command;
  const examples = examplesOf(command).map(exampleLine);
  const parts = [
    `## ${fullName(name)}`,
    `${purpose[0]?.toUpperCase()}${purpose.slice(1)}.`,
    `    ${usageLine(name, command)}`,
    ...(about === undefined ? [] : [paragraphs(about)]),
    ...optionTable(command),
    ...(notes === undefined ? [] : [paragraphs(notes)]),
    ...(examples.length === 0 ? [] : [examples.join("\n")]),
    ...(command.run === null ? [] : [exitSentence(command)]),
  ];
  return parts.join("\n\n");
}

/** Lines that begin with a space are shown as they are. */
function paragraphs(text: string): string {
  return text.replaceAll(/^ +/gm, "    ").replaceAll(/\n(?! )/g, "\n\n");
}

function exampleLine([line, does]: readonly [string, string]): string {
  return `    ${line}${does === "" ? "" : `    # ${does}`}`;
}

function optionTable(command: Command): string[] {
  const words = Object.values(command.arguments ?? {}).map(
    ({ kind, placeholder = kind.placeholder, meaning }) => `| \`${placeholder}\` | ${cell(meaning)} |`,
  );
  const options = shownOptions(command).map(([name, option]) => {
    const { short, long } = optionHeads(name, option);
    return `| \`${short === null ? "" : `-${short}, `}${long}\` | ${cell(optionMeaning(option))} |`;
  });
  return words.length + options.length === 0
    ? []
    : [["| takes | meaning |", "|---|---|", ...words, ...options].join("\n")];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
