/** `vantage doctor`: finds problems of a part of the platform on this machine, with the next step for each. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Palette, paletteFor } from "../../../lib/base/terminal/colour.ts";
import { printRows } from "../../../lib/base/terminal/print-rows.ts";
import type { Column, Format } from "../../../lib/base/terminal/rows-output.ts";
import { sourceIn } from "../../../lib/command/checkup/configuration.ts";
import { type Finding, ok } from "../../../lib/command/checkup/finding.ts";
import { defineCommand, subcommand } from "../../../lib/command/command/command.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { file, folder } from "../../../lib/command/command/kinds.ts";
import type { Command } from "../../../lib/command/command/table.ts";
import { hasVariables } from "../../../lib/engines/config/environment.ts";
import { setsNothing } from "../../../lib/engines/config/yaml-file.ts";
import { noFile } from "./no-file.ts";
import { type Part, type PartName, parts } from "./parts.ts";

const folderDefault = "/etc/vantage";
const fileOption = { kind: file, short: "c", meaning: "the part's configuration" } as const;
const dirOption = {
  kind: folder,
  default: folderDefault,
  meaning: "where configurations are, when none is named",
} as const;
const exits = {
  ok: "nothing fails (there may be warnings)",
  failure: "something fails",
  usage: "wrong usage, or nothing is configured here",
} as const;

/** A part with its configuration. */
interface Patient {
  readonly part: Part;
  readonly file: string;
}

type Row = Finding & { readonly part: PartName };

export const command = defineCommand({
  about: `Checks a user's side of the exchange (client), an exchange server, a vantage point (agent) or a \
gateway, as configured; without a name, every part that is configured. It sends no probe and \
changes nothing, except that for an agent it makes the broker's topics, as the agent would. \
Files that belong to a part are read from the folder of its configuration: bootstrap.env of a client, \
policy-generator.yaml of an \
exchange.`,
  subcommands: parts.map((part) => subcommand(part.name, part.purpose, partCommand(part))),
  options: { dir: dirOption, ...formatOption },
  arguments: {},
  examples: [
    ["vantage doctor", "everything that is configured here"],
    "USER_ASN=65001 vantage doctor client -c bootstrap.yaml",
    "vantage doctor agent -c agent.yaml -o json",
  ],
  exits,
  act: ({ dir, output }) => examineAll(parts, dir, output),
});

function partCommand(part: Part): Command {
  return defineCommand({
    options: { config: fileOption, dir: { ...dirOption, notWith: ["config"] }, ...formatOption },
    arguments: {},
    examples: [`vantage doctor ${part.name}`, `vantage doctor ${part.name} -c ${part.files[0]} -o json`],
    exits,
    act: ({ config, dir, output }) =>
      config === null ? examineAll([part], dir, output) : examine([{ part, file: config }], output),
  });
}

async function examineAll(wanted: readonly Part[], dir: string, format: Format): Promise<ExitCode> {
  const patients = wanted.flatMap((part) => {
    const files = part.files.map((name) => join(dir, name)).filter((path) => existsSync(path));
    return (files.length === 0 && isSetByVariables(part) ? [noFile] : files).map((file) => ({ part, file }));
  });
  if (patients.every(isUnset)) {
    const files = wanted.flatMap((part) => part.files);
    const examples = patients.length === 0 ? "" : "; what is there has only comments";
    throw wrongUsage(
      `nothing is configured in ${dir} (${files.join(", ")}${examples}): give another folder by --dir, or one file \
behind its part's name, as vantage doctor agent -c agent.yaml`,
    );
  }
  return await examine(patients, format);
}

function isSetByVariables({ variables }: Part): boolean {
  return variables !== undefined && Object.keys(process.env).some((name) => variables.test(name));
}

/** The package brings an example for each part, as comments: such a part is not configured, so nothing fails. */
function isUnset({ file: path }: Patient): boolean {
  return !hasVariables(process.env) && setsNothing(sourceIn(path));
}

async function examine(patients: readonly Patient[], format: Format): Promise<ExitCode> {
  const rows: Row[] = [];
  for (const patient of patients) {
    const { part, file: path } = patient;
    const findings = await (patients.length > 1 && isUnset(patient)
      ? [ok("configuration", `${path} has only comments: this part is not configured`)]
      : part.examine(path, process.env));
    rows.push(...findings.map((finding) => ({ ...finding, part: part.name })));
  }
  print(rows, format, patients.length > 1);
  return rows.some(({ level }) => level === "fail") ? exitCodes.failure : exitCodes.ok;
}

function print(rows: readonly Row[], format: Format, hasParts: boolean): void {
  printRows(
    columnsOf(paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR), hasParts),
    rows,
    format,
  );
}

function columnsOf({ bold, bad }: Palette, hasParts: boolean): Column<Row>[] {
  const colours = { ok: (text: string) => text, warn: bold, fail: bad } as const;
  return [
    { name: "part", head: hasParts ? "part" : null, value: ({ part }) => part },
    { name: "level", head: "", value: ({ level }) => level, cell: ({ level }) => colours[level](level) },
    { name: "what", head: "what", value: ({ what }) => what },
    {
      name: "found",
      head: "found",
      value: ({ found }) => found,
      cell: ({ found, next }) => line(found, next),
    },
    { name: "next", head: null, value: ({ next }) => next },
  ];
}

/** One cell: a separate column for the next step would be far to the right of short findings. */
function line(found: string, next: string): string {
  return next === "" ? found : `${found} → ${next}`;
}
