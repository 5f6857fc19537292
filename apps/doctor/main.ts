/** `vantage doctor`: what is wrong with a part of the platform on this machine, and what to do. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type OptionValues, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { choiceOf } from "../../lib/config/option-values.ts";
import { type Palette, paletteFor } from "../../lib/terminal/colour.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { type Column, type Format, formats, RowsOutput } from "../../lib/terminal/rows-output.ts";
import type { Finding } from "./finding.ts";
import { type Part, type PartName, partNames, parts } from "./parts.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;
const folderDefault = "/etc/vantage";

export const words = partNames;
export const options = {
  config: { type: "string", short: "c", values: "file", value: "FILE", meaning: "the part's configuration" },
  dir: {
    type: "string",
    values: "folder",
    value: "DIR",
    meaning: `where configurations are, when none is named (${folderDefault})`,
  },
  output: {
    type: "string",
    short: "o",
    values: formats,
    value: "FORMAT",
    meaning: "table (default), json, ndjson, csv",
  },
} as const;

interface Order {
  /** Null = all that are configured. */
  readonly part: PartName | null;
  readonly config: string | null;
  readonly folder: string;
  readonly format: Format;
}

/** A part, as one configuration has it. */
interface Patient {
  readonly part: Part;
  readonly file: string;
}

type Row = Finding & { readonly part: PartName };

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Order>(args, { options, check: orderOf });
  if (parsed.kind === "help") {
    printLine(
      helpText({ name: "doctor", purpose: "say what is wrong, and what to do", usage, about, options, more }),
    );
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage doctor: ${parsed.message} (see: vantage doctor --help)`);
    return exitCodes.usage;
  }
  const { format } = parsed.options;
  const patients = patientsOf(parsed.options);
  if (patients.length === 0) {
    printErrorLine(`vantage doctor: ${nothingFound(parsed.options)}`);
    return exitCodes.usage;
  }
  const rows: Row[] = [];
  for (const { part, file } of patients) {
    const findings = await part.examine(file, process.env);
    rows.push(...findings.map((finding) => ({ ...finding, part: part.name })));
  }
  print(rows, format, patients.length > 1);
  return rows.some(({ level }) => level === "fail") ? exitCodes.failure : exitCodes.ok;
}

const usage = "[client|exchange|agent|gateway] [options]";
const about = `Looks at a user's side of the exchange (client), an exchange server, a vantage point (agent) or a
gateway, as its configuration has it; without a name at every part that is configured in ${folderDefault}. It
sends no probe and changes nothing, but that of an agent it makes the state folder and the broker's topics, as the
agent would. What belongs to a part is looked for beside its configuration: bootstrap.env of a client,
policy-generator.yaml of an exchange.`;
const more = `Examples
  vantage doctor                                       everything that is configured here
  USER_ASN=65001 vantage doctor client -c bootstrap.yaml
  vantage doctor agent -c agent.yaml -o json

Exit codes: 0 nothing fails (there may be warnings), 1 something fails, 2 wrong usage, or nothing is configured here.`;

function orderOf(values: OptionValues<typeof options>, [word, ...rest]: readonly string[]): Order {
  const part = partNames.find((name) => name === word);
  if ((word !== undefined && part === undefined) || rest.length > 0) {
    throw new UsageError(`Give one of ${partNames.join(", ")}, or none, not "${[word, ...rest].join(" ")}"`);
  }
  if (part === undefined && values.config !== undefined) {
    throw new UsageError(`Say of what --config is: one of ${partNames.join(", ")}`);
  }
  if (values.config !== undefined && values.dir !== undefined) {
    throw new UsageError("Give --config or --dir, not both");
  }
  return {
    part: part ?? null,
    config: values.config ?? null,
    folder: values.dir ?? folderDefault,
    format: choiceOf("--output", values.output ?? "table", formats),
  };
}

function patientsOf({ part: name, config, folder }: Order): Patient[] {
  return parts
    .filter((part) => name === null || part.name === name)
    .flatMap((part) => {
      const files =
        config === null ? part.files.map((file) => join(folder, file)).filter(existsSync) : [config];
      return files.map((file) => ({ part, file }));
    });
}

function nothingFound({ part: name, folder }: Order): string {
  const files = parts.filter((part) => name === null || part.name === name).flatMap((part) => part.files);
  return `Nothing is configured in ${folder} (${files.join(", ")}): give --config FILE behind the part's name`;
}

function print(rows: readonly Row[], format: Format, hasParts: boolean): void {
  const palette = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const columns = columnsOf(palette, hasParts);
  const output = new RowsOutput({ columns, format, print: printLine, dim: palette.dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
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

/** One cell: a column of its own for what to do would stand far to the right of short findings. */
function line(found: string, next: string): string {
  return next === "" ? found : `${found} → ${next}`;
}
