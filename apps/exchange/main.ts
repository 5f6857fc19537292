/** `vantage exchange`: the configuration of an exchange server, and how it does. */
import { type OptionValues, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { failedBy, readConfigSource } from "../../lib/config/config-source.ts";
import { helpText } from "../../lib/config/help-text.ts";
import { choiceOf } from "../../lib/config/option-values.ts";
import { paletteFor } from "../../lib/terminal/colour.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { type Format, formats, RowsOutput } from "../../lib/terminal/rows-output.ts";
import { checkExchange } from "./check.ts";
import { exchangeConf } from "./exchange-conf.ts";
import { writeFiles } from "./render.ts";
import { type ExchangeSettings, readSettings } from "./settings.ts";
import { readStatus, statusColumns } from "./status.ts";

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;

export const words = ["render", "check", "status"] as const;
export const options = {
  config: {
    type: "string",
    short: "c",
    values: "file",
    value: "FILE",
    meaning: "the settings (render, check)",
  },
  out: {
    type: "string",
    values: "folder",
    value: "DIR",
    meaning: "render: write every file there; without, BIRD's goes to standard output",
  },
  installed: {
    type: "string",
    values: "file",
    value: "FILE",
    meaning: "check: compare with the configuration that BIRD runs with",
  },
  url: {
    type: "string",
    value: "URL",
    meaning: "status: the policy generator (default: http://127.0.0.1:8091)",
  },
  output: {
    type: "string",
    short: "o",
    values: formats,
    value: "FORMAT",
    meaning: "status: table (default), json, ndjson, csv",
  },
} as const;

type Command =
  | { readonly kind: "render"; readonly config: string; readonly out: string | null }
  | { readonly kind: "check"; readonly config: string; readonly installed: string | null }
  | { readonly kind: "status"; readonly url: string; readonly format: Format };

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseCommandLine<typeof options, Command>(args, { options, check: commandOf });
  if (parsed.kind === "help") {
    const usage = "render|check -c FILE [options], or status";
    printLine(helpText({ name: "exchange", purpose: "configure an exchange server", usage, options, more }));
    return exitCodes.ok;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage exchange: ${parsed.message} (see: vantage exchange --help)`);
    return exitCodes.usage;
  }
  try {
    return await execute(parsed.options);
  } catch (error) {
    return failedBy("exchange", error);
  }
}

const more = `Settings: docs/exchange.md.

Examples
  vantage exchange check -c exchange.yaml --installed /etc/bird/bird.conf
  vantage exchange render -c exchange.yaml --out /etc/bird && birdc configure
  vantage exchange status

Exit codes: 0 good, 1 failure, or something is not good, 2 wrong usage or settings.`;

const optionsOf = {
  render: ["config", "out"],
  check: ["config", "installed"],
  status: ["url", "output"],
} as const;

function commandOf(values: OptionValues<typeof options>, [word = "", ...rest]: readonly string[]): Command {
  const kind = words.find((known) => known === word);
  if (kind === undefined || rest.length > 0) {
    throw new UsageError(`Give one of ${words.join(", ")}, not "${[word, ...rest].join(" ")}"`);
  }
  const known: readonly string[] = optionsOf[kind];
  const stranger = Object.keys(values).find((option) => !known.includes(option));
  if (stranger !== undefined) {
    throw new UsageError(`--${stranger} says nothing to ${kind}`);
  }
  if (kind === "status") {
    const { url = "http://127.0.0.1:8091", output = "table" } = values;
    return { kind, url, format: choiceOf("--output", output, formats) };
  }
  if (values.config === undefined) {
    throw new UsageError("Give --config FILE");
  }
  return kind === "render"
    ? { kind, config: values.config, out: values.out ?? null }
    : { kind, config: values.config, installed: values.installed ?? null };
}

function execute(command: Command): Promise<number> | number {
  switch (command.kind) {
    case "render":
      return render(command);
    case "check":
      return check(command);
    case "status":
      return status(command);
  }
}

function settingsIn(path: string): ExchangeSettings {
  return readSettings(readConfigSource(path), process.env);
}

function render({ config, out }: Command & { kind: "render" }): number {
  const settings = settingsIn(config);
  printLine(out === null ? exchangeConf(settings).trimEnd() : writeFiles(settings, out).join("\n"));
  return exitCodes.ok;
}

async function check({ config, installed }: Command & { kind: "check" }): Promise<number> {
  const findings = await checkExchange(settingsIn(config), installed);
  for (const { isGood, isWarning = false, text } of findings) {
    printLine(`${isGood ? "good" : isWarning ? "warn" : "BAD "}  ${text}`);
  }
  return findings.every(({ isGood, isWarning = false }) => isGood || isWarning)
    ? exitCodes.ok
    : exitCodes.failure;
}

async function status({ url, format }: Command & { kind: "status" }): Promise<number> {
  const rows = await readStatus(url);
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput({ columns: statusColumns, format, print: printLine, dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
  return exitCodes.ok;
}
