/** The command line of `vantage client`, checked whole before anything is read or sent. */
import {
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../../lib/config/command-line.ts";
import { choiceOf, durationMsOf, quoted } from "../../../lib/config/option-values.ts";
import { expiryMsMax, measurementIdCharsMax } from "../limits.ts";
import { parseTargets, type Target } from "./targets.ts";

export interface Options {
  readonly config: string;
  readonly targets: readonly Target[];
  /** Files of probe lines; "-" is standard input. */
  readonly files: readonly string[];
  /** Null = a new one. */
  readonly measurementId: string | null;
  readonly skipBad: boolean;
  /** Null = on a terminal. */
  readonly wait: boolean | null;
  /** Null = by the number of probes. */
  readonly expiryMs: number | null;
  /** Null = by the configuration. */
  readonly spoolDir: string | null;
  readonly output: "text" | "json";
}

export const clientOptions = {
  config: { type: "string", short: "c", values: "file" },
  "probes-file": { type: "string", short: "p", multiple: true, values: "file" },
  "measurement-id": { type: "string" },
  "skip-bad": { type: "boolean" },
  wait: { type: "boolean" },
  expires: { type: "string" },
  "spool-dir": { type: "string", values: "folder" },
  output: { type: "string", short: "o", default: "text", values: ["text", "json"] },
} as const;

/** Reads the arguments behind `vantage client`. A wrong one gives a message that names it and what to do. */
export function parseOptions(args: readonly string[]): ParsedCommandLine<Options> {
  return parseCommandLine(args, { options: clientOptions, check: checked });
}

function checked(values: OptionValues<typeof clientOptions>, positionals: readonly string[]): Options {
  const files = values["probes-file"] ?? ["-"];
  if (files.filter((file) => file === "-").length > 1) {
    throw new UsageError("-p - stands for standard input, which can be read only once");
  }
  if (files.includes("")) {
    throw new UsageError("-p names no file");
  }
  return {
    config: configOf(values.config),
    targets: targetsOf(positionals),
    files,
    measurementId: values["measurement-id"] === undefined ? null : idOf(values["measurement-id"]),
    skipBad: values["skip-bad"] === true,
    wait: values.wait ?? null,
    expiryMs: values.expires === undefined ? null : durationOf(values.expires),
    spoolDir: values["spool-dir"] ?? null,
    output: choiceOf("-o", values.output, ["text", "json"]),
  };
}

function configOf(path: string | undefined): string {
  if (path === undefined || path === "") {
    throw new UsageError("Name the configuration file with --config=FILE");
  }
  return path;
}

function targetsOf(positionals: readonly string[]): Target[] {
  const [list, ...more] = positionals;
  if (list === undefined) {
    throw new UsageError("Name the targets: agent or agent:address, with commas between them");
  }
  if (more.length > 0) {
    throw new UsageError(
      `Write the targets as one comma list without spaces, not ${quoted(more.join(" "))} apart`,
    );
  }
  return parseTargets(list);
}

/** The id is a key and stands in headers, tables and file names: printable, and not too long. */
function idOf(id: string): string {
  if (id.length > measurementIdCharsMax || !/^[\w.:@+-]+$/.test(id)) {
    const rule = `1 to ${measurementIdCharsMax} letters, digits or . : @ + - _`;
    throw new UsageError(`--measurement-id ${quoted(id)}: give ${rule}, as a rule a UUID`);
  }
  return id;
}

function durationOf(text: string): number {
  const durationMs = durationMsOf(text) ?? 0;
  if (durationMs < 1 || durationMs > expiryMsMax) {
    throw new UsageError(`--expires ${quoted(text)}: give a time up to 366d, as 90s, 30m, 12h or 2d`);
  }
  return durationMs;
}
