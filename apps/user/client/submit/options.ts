/** The command line of `vantage client`, parsed. */
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { neededConfig } from "../../../../lib/command/command/config-option.ts";
import { agentTargets } from "../../../../lib/command/command/gateway/agent-targets.ts";
import {
  choice,
  duration,
  file,
  folder,
  kindOf,
  text,
  unfit,
} from "../../../../lib/command/command/kinds.ts";
import type { Given } from "../../../../lib/command/command/table.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { expiryMsMax, measurementIdCharsMax } from "../limits.ts";

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

/** The id is a key and part of headers, tables and file names: printable, and not too long. */
const recordKey = kindOf("ID", "any", (given) =>
  given.length <= measurementIdCharsMax && /^[\w.:@+-]+$/.test(given)
    ? given
    : unfit(`is not 1 to ${measurementIdCharsMax} letters, digits or . : @ + - _, as a rule a UUID`),
);

export const clientOptions = {
  config: { ...neededConfig, meaning: "a file with the broker's address (YAML; below)" },
  probesFile: {
    kind: file,
    short: "p",
    multiple: true,
    defaultText: "standard input, which is - too",
    meaning: "probe lines",
  },
  measurementId: { kind: recordKey, defaultText: "a new UUID", meaning: "name of the measurement" },
  skipBad: { flag: true, default: false, meaning: "count and skip bad lines; else nothing is published" },
  wait: {
    flag: true,
    meaning: "wait until the agents have finished, or not (default: on a terminal, not in a pipe)",
  },
  expires: {
    kind: duration(expiryMsMax),
    defaultText: "twice what an agent needs at 100 probes/s, and 10 minutes; at least a day",
    meaning: "agents skip what they find later than this: 90s, 30m, 12h, 2d",
  },
  spoolDir: {
    kind: folder,
    defaultText: "client.spool_dir, else the system's folder for temporary files",
    meaning: "where lines wait to be published, 48 bytes each",
  },
  output: {
    kind: choice(["text", "json"], "FORMAT"),
    short: "o",
    default: "text",
    meaning: "the summary on standard output",
  },
} as const;

export const clientArguments = {
  targets: {
    kind: text,
    placeholder: "TARGETS",
    required: true,
    meaning: "agents, with commas between them and no spaces",
  },
} as const;

/** Throws CommandError `usage`. */
export function clientOrder(given: Given<typeof clientOptions, typeof clientArguments>): Options {
  const files = given.probesFile.length === 0 ? ["-"] : given.probesFile;
  if (files.filter((name) => name === "-").length > 1) {
    throw wrongUsage("-p - stands for standard input, which can be read only once");
  }
  return { ...given, files, targets: agentTargets(given.targets), expiryMs: given.expires };
}
