/** The command lines of `vantage replies` and `vantage catchment`, checked whole before anybody is asked. */
import {
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../../lib/config/command-line.ts";
import { choiceOf, numberOf, quoted, timeMsOf } from "../../../lib/config/option-values.ts";
import { type Prefix, parsePrefix, prefixOf } from "../../../lib/ip/prefix.ts";
import { type ViewName as View, viewOf, viewNames as views } from "../../../lib/results/views.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { type Format, formats } from "../../../lib/terminal/rows-output.ts";
import {
  addressOptions,
  type CommonOptions,
  commonOptions,
  loginOptions,
} from "../gateway/common-options.ts";
import { measurementId } from "../gateway/measurement-id.ts";
import { rowsDefault, rowsMax } from "../limits.ts";

export interface Options {
  /** Who is asked. */
  readonly place: StorePlace | GatewayPlace;
  readonly view: View;
  readonly filter: ReplyFilter;
  /** Rows, or paths. */
  readonly limit: number;
  readonly follow: boolean;
  readonly format: Format;
}

/** A column store; one of the two is given. */
export interface StorePlace {
  readonly kind: "store";
  /** Null when `storeAddress` says it all. */
  readonly config: string | null;
  readonly storeAddress: string | null;
}

export interface GatewayPlace {
  readonly kind: "gateway";
  readonly measurementId: string;
  readonly common: CommonOptions;
}

/** `catchment` is `replies` with its view given. */
export type ResultsCommand = "replies" | "catchment";

export const catchmentOptions = {
  config: { type: "string", short: "c", values: "file" },
  store: { type: "string" },
  agent: { type: "string", short: "a" },
  destination: { type: "string", short: "d" },
  source: { type: "string", short: "s" },
  since: { type: "string" },
  limit: { type: "string", short: "n" },
  follow: { type: "boolean", short: "f" },
  output: { type: "string", short: "o", default: "table", values: formats },
  ...addressOptions.probing,
  ...loginOptions,
} as const;

export const repliesOptions = {
  view: { type: "string", short: "v", default: "replies", values: views },
  ...catchmentOptions,
} as const;

/** Reads the arguments behind the command. A wrong one gives a message that names it and what to do. */
export function parseOptions(
  command: ResultsCommand,
  args: readonly string[],
  nowMs: number,
): ParsedCommandLine<Options> {
  return command === "replies"
    ? parseCommandLine(args, {
        options: repliesOptions,
        check: (values, positionals) =>
          checked(choiceOf("--view", values.view, views), values, { positionals, nowMs }),
      })
    : parseCommandLine(args, {
        options: catchmentOptions,
        check: (values, positionals) => checked("catchment", values, { positionals, nowMs }),
      });
}

type Values = OptionValues<typeof catchmentOptions>;

interface Given {
  readonly positionals: readonly string[];
  readonly nowMs: number;
}

function checked(view: View, values: Values, { positionals, nowMs }: Given): Options {
  if (positionals.length > 1) {
    throw new UsageError(`Name one measurement, not ${positionals.length}`);
  }
  const follow = values.follow === true;
  const format = choiceOf("-o", values.output, formats);
  if (follow && format !== "table" && (view !== "replies" || format === "json")) {
    throw new UsageError(
      "-f goes with tables, and for replies with -o ndjson and -o csv: the others have an end",
    );
  }
  return {
    place: placeOf(values, positionals, format),
    view,
    filter: filterOf(values, positionals[0], nowMs),
    limit: limitOf(values.limit, view),
    follow,
    format,
  };
}

/** A column store where one is named, else the gateway: nothing is asked of both. */
function placeOf(values: Values, positionals: readonly string[], format: Format): Options["place"] {
  const { config = null, store: storeAddress = null } = values;
  const common = commonOptions(values, "probing", format);
  if (config || storeAddress) {
    const stray = ["gateway", "profile", "token-stdin"].find((name) => Object.keys(values).includes(name));
    if (stray !== undefined) {
      throw new UsageError(
        `--${stray} is for the gateway, --config and --store ask a column store: give one of them`,
      );
    }
    return { kind: "store", config, storeAddress };
  }
  if (positionals.length === 0) {
    throw new UsageError(
      "Name a measurement of yours, which the gateway is asked for; or a column store with --store or --config",
    );
  }
  if (values.source !== undefined) {
    throw new UsageError(
      "--source is for a column store (--store, --config): the gateway shows your own measurements",
    );
  }
  return { kind: "gateway", measurementId: measurementId(positionals), common };
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
  const otherwise = Math.min(rowsDefault, viewOf(view).limitDefault ?? rowsDefault);
  return text === undefined ? otherwise : numberOf("--limit", text, [1, rowsMax]);
}
