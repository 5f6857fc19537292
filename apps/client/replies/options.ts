/** The command line of `vantage replies`, checked whole before the store is asked. */
import {
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../../lib/config/command-line.ts";
import { choiceOf, numberOf, quoted, timeMsOf } from "../../../lib/config/option-values.ts";
import { type Prefix, parsePrefix, prefixOf } from "../../../lib/ip/prefix.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { type Format, formats } from "../../../lib/terminal/rows-output.ts";
import { pathsDefault, rowsDefault, rowsMax } from "../limits.ts";

export const views = ["replies", "paths", "loss", "catchment"] as const;
export type View = (typeof views)[number];

export interface Options {
  /** Null when `storeAddress` says it all. */
  readonly config: string | null;
  readonly storeAddress: string | null;
  readonly view: View;
  readonly filter: ReplyFilter;
  /** Rows, or paths. */
  readonly limit: number;
  readonly follow: boolean;
  readonly format: Format;
}

export const repliesOptions = {
  config: { type: "string", short: "c", values: "file" },
  store: { type: "string" },
  view: { type: "string", short: "v", default: "replies", values: views },
  agent: { type: "string", short: "a" },
  destination: { type: "string", short: "d" },
  source: { type: "string", short: "s" },
  since: { type: "string" },
  limit: { type: "string", short: "n" },
  follow: { type: "boolean", short: "f" },
  output: { type: "string", short: "o", default: "table", values: formats },
} as const;

/** Reads the arguments behind `vantage replies`. A wrong one gives a message that names it and what to do. */
export function parseOptions(args: readonly string[], nowMs: number): ParsedCommandLine<Options> {
  return parseCommandLine(args, {
    options: repliesOptions,
    check: (values, positionals) => checked(values, positionals, nowMs),
  });
}

type Values = OptionValues<typeof repliesOptions>;

function checked(values: Values, positionals: readonly string[], nowMs: number): Options {
  const { config = null, store: storeAddress = null } = values;
  if (!config && !storeAddress) {
    throw new UsageError("Say where the replies are: --config=FILE or --store=ADDRESS");
  }
  if (positionals.length > 1) {
    throw new UsageError(`Name one measurement, not ${positionals.length}`);
  }
  const view = choiceOf("--view", values.view, views);
  const follow = values.follow === true;
  const format = choiceOf("-o", values.output, formats);
  if (follow && format !== "table" && (view !== "replies" || format === "json")) {
    throw new UsageError(
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    );
  }
  return {
    config,
    storeAddress,
    view,
    filter: filterOf(values, positionals[0], nowMs),
    limit: limitOf(values.limit, view),
    follow,
    format,
  };
}

function filterOf(values: Values, measurementId: string | undefined, nowMs: number): ReplyFilter {
  const { agent, destination, source, since } = values;
  return {
    ...(measurementId === undefined ? {} : { measurementId: filled("measurement", measurementId) }),
    ...(agent === undefined ? {} : { agent: filled("--agent", agent) }),
    ...(destination === undefined ? {} : { destination: prefixIn("--destination", destination) }),
    ...(source === undefined ? {} : { source: prefixIn("--source", source) }),
    ...(since === undefined ? {} : { sinceMs: timeMsOf("--since", since, nowMs) }),
  };
}

function filled(what: string, text: string): string {
  if (text === "") {
    throw new UsageError(`${what} "" is empty: leave it out, or name one`);
  }
  return text;
}

function prefixIn(option: string, text: string): Prefix {
  const prefix = parsePrefix(text);
  if (prefix === null) {
    throw new UsageError(
      `${option} ${quoted(text)}: give an address or a prefix, as 192.0.2.0/24 or 2001:db8::1`,
    );
  }
  return prefixOf(prefix.base, prefix.length);
}

function limitOf(text: string | undefined, view: View): number {
  const otherwise = view === "paths" ? pathsDefault : rowsDefault;
  return text === undefined ? otherwise : numberOf("--limit", text, [1, rowsMax]);
}
