/** The command line of `vantage bootstrap`. */
import { type OptionValues, UsageError } from "../../lib/config/command-line.ts";
import { choiceOf, numberOf, quoted } from "../../lib/config/option-values.ts";
import { type Format, formats } from "../../lib/terminal/rows-output.ts";
import { prependMax } from "./limits.ts";
import type { Order } from "./orders.ts";

export const words = ["run", "check", "render", "announce", "withdraw", "prepend", "status"] as const;
const daemons = ["bird", "frr"] as const;

export const options = {
  config: { type: "string", short: "c", values: "file", value: "FILE", meaning: "its configuration, if any" },
  exchange: {
    type: "string",
    value: "NAME",
    meaning: "announce, withdraw, prepend: at this exchange; without, at all",
  },
  daemon: {
    type: "string",
    values: daemons,
    value: "DAEMON",
    meaning: "render: bird or frr, else the configured one",
  },
  output: {
    type: "string",
    short: "o",
    values: formats,
    value: "FORMAT",
    meaning: "status: table (default), json, ndjson, csv",
  },
} as const;

export type Command = { readonly config: string | null } & (
  | { readonly kind: "run" | "check" }
  | { readonly kind: "render"; readonly daemon: (typeof daemons)[number] | null }
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "status"; readonly format: Format }
);

const optionsOf: Readonly<Record<(typeof words)[number], readonly string[]>> = {
  run: ["config"],
  check: ["config"],
  render: ["config", "daemon"],
  announce: ["config", "exchange"],
  withdraw: ["config", "exchange"],
  prepend: ["config", "exchange"],
  status: ["config", "output"],
};

/** Throws UsageError. */
export function commandOf(
  values: OptionValues<typeof options>,
  [given = "", ...rest]: readonly string[],
): Command {
  const word = words.find((known) => known === given);
  if (word === undefined) {
    throw new UsageError(`Give one of ${words.join(", ")}, not ${quoted(given)}`);
  }
  const stranger = Object.keys(values).find((option) => !optionsOf[word].includes(option));
  if (stranger !== undefined) {
    throw new UsageError(`--${stranger} says nothing to ${word}`);
  }
  const config = values.config ?? null;
  if (word === "announce" || word === "withdraw" || word === "prepend") {
    return { kind: "order", config, order: orderOf(word, rest, values.exchange ?? null) };
  }
  if (rest.length > 0) {
    throw new UsageError(`Unknown argument ${quoted(rest.join(" "))}`);
  }
  switch (word) {
    case "render":
      return {
        kind: word,
        config,
        daemon: values.daemon === undefined ? null : choiceOf("--daemon", values.daemon, daemons),
      };
    case "status":
      return { kind: word, config, format: choiceOf("--output", values.output ?? "table", formats) };
    case "run":
    case "check":
      return { kind: word, config };
  }
}

function orderOf(
  word: "announce" | "withdraw" | "prepend",
  args: readonly string[],
  exchange: string | null,
): Order {
  const wanted = word === "prepend" ? 2 : 1;
  const [prefix = "", count = "0"] = args;
  if (args.length !== wanted) {
    throw new UsageError(`Give ${word} PREFIX${wanted === 2 ? " COUNT" : ""}`);
  }
  const prepend = numberOf("COUNT", count, [0, prependMax]);
  return { prefix, exchange, announce: word !== "withdraw", prepend };
}
