/** Man pages, one for each command: man(7), as groff 1.22 and mandoc read it. Pure. */
import { fullName } from "../../lib/command/command/complain.ts";
import type { DescribedCommand } from "../../lib/command/command/describe.ts";
import {
  examplesOf,
  exitsOf,
  optionHeads,
  optionMeaning,
  shownOptions,
  usageLine,
} from "../../lib/command/command/description.ts";
import type { Command } from "../../lib/command/command/table.ts";

interface ManPage {
  /** `vantage-peering-asn.1`. */
  readonly file: string;
  readonly text: string;
}

/** `version`: of the executable, for the foot of the page. */
export function manPage({ name, purpose, command }: DescribedCommand, version: string): ManPage {
  const title = pageName(name);
  const lines = [
    `.TH ${title.toUpperCase()} 1 "" "vantage ${version}" "Vantage"`,
    ".SH NAME",
    `${escaped(title)} \\- ${escaped(purpose)}`,
    ".SH SYNOPSIS",
    `.B ${escaped(usageLine(name, command))}`,
    ...section("DESCRIPTION", paragraphs(command.about)),
    ...section("COMMANDS", commandLines(name, command)),
    ...section("ARGUMENTS", argumentLines(command)),
    ...section("OPTIONS", optionLines(command)),
    ...section("NOTES", paragraphs(command.notes)),
    ...section("EXAMPLES", exampleLines(command)),
    ...section("EXIT STATUS", command.run === null ? [] : exitLines(command)),
    ...section("SEE ALSO", seeAlso(name)),
  ];
  return { file: `${title}.1`, text: `${lines.join("\n")}\n` };
}

function pageName(name: string): string {
  return fullName(name).replaceAll(" ", "-");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

/** Lines that begin with a space are shown as they are. */
function paragraphs(text = ""): string[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => (line.startsWith(" ") ? verbatim([line.trimStart()]) : [".PP", escaped(line)]));
}

function verbatim(lines: readonly string[]): string[] {
  return [".PP", ".nf", ".RS", ...lines.map(escaped), ".RE", ".fi"];
}

function commandLines(name: string, { subcommands = [] }: Command): string[] {
  return subcommands.flatMap((entry) => {
    const page = pageName(`${name} ${entry.name}`.trim());
    return item(`\\fB${escaped(page)}\\fP(1)`, entry.purpose);
  });
}

function argumentLines({ arguments: table = {} }: Command): string[] {
  return Object.values(table).flatMap(({ kind, placeholder = kind.placeholder, meaning }) =>
    item(`\\fI${escaped(placeholder)}\\fP`, meaning),
  );
}

function optionLines(command: Command): string[] {
  const own = shownOptions(command).flatMap(([name, option]) => {
    const { short, long } = optionHeads(name, option);
    return item(`\\fB${escaped(`${short === null ? "" : `-${short}, `}${long}`)}\\fP`, optionMeaning(option));
  });
  return [...own, ...item("\\fB\\-h, \\-\\-help\\fP", "the help text")];
}

function item(head: string, text: string): string[] {
  return [".TP", head, escaped(text)];
}

function exampleLines(command: Command): string[] {
  return examplesOf(command).flatMap(([line, does]) => [
    ...(does === "" ? [] : [".PP", `${escaped(does)}:`]),
    ...verbatim([line]),
  ]);
}

function exitLines(command: Command): string[] {
  return exitsOf(command).flatMap(([code, meaning]) => item(String(code), meaning));
}

/** The page of the command above. */
function seeAlso(name: string): string[] {
  return name === "" ? [] : [`.BR ${escaped(pageName(name.split(" ").slice(0, -1).join(" ")))} (1)`];
}

/** A line may not begin as a request does, and a hyphen that is typed is not one between words. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
