/** The command line of `vantage context`, checked completely before anything is read or written. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type OptionValues, UsageError } from "../../lib/config/command-line.ts";
import { choiceOf } from "../../lib/config/option-values.ts";
import { type Address, parseAddress } from "../../lib/ip/address.ts";
import { type Format, formats } from "../../lib/terminal/rows-output.ts";

export const words = ["update", "status", "lookup"] as const;

export const options = {
  dir: {
    type: "string",
    values: "folder",
    value: "DIR",
    meaning: "where the sets lie (default: VANTAGE_CONTEXT_DIR, else ~/.local/share/vantage/context)",
  },
  date: {
    type: "string",
    value: "DAY",
    meaning: "update: the day that the files speak of; lookup: as things were then (default: today, UTC)",
  },
  "keep-private": {
    type: "boolean",
    meaning: "update: private and documentation addresses and AS numbers count too, as in a laboratory",
  },
  output: {
    type: "string",
    short: "o",
    values: formats,
    value: "FORMAT",
    meaning: "status, lookup: table (default), json, ndjson, csv",
  },
} as const;

export type ContextCommand =
  | {
      readonly kind: "update";
      readonly dir: string;
      readonly date: string;
      readonly keepPrivate: boolean;
      readonly files: readonly string[];
    }
  | { readonly kind: "status"; readonly dir: string; readonly format: Format }
  | {
      readonly kind: "lookup";
      readonly dir: string;
      readonly date: string;
      readonly addresses: readonly Address[];
      readonly format: Format;
    };

export function commandOf(
  values: OptionValues<typeof options>,
  [word = "", ...given]: readonly string[],
): ContextCommand {
  const dir = values.dir ?? defaultDir();
  const format = choiceOf("-o", values.output ?? "table", formats);
  switch (word) {
    case "update":
      if (given.length === 0) {
        throw new UsageError("update: name the data files, as: vantage context update rib.bz2 vrps.json");
      }
      return {
        kind: "update",
        dir,
        date: dayOf(values.date),
        keepPrivate: values["keep-private"] === true,
        files: given,
      };
    case "status":
      if (given.length > 0) {
        throw new UsageError("status takes options only");
      }
      return { kind: "status", dir, format };
    case "lookup":
      return { kind: "lookup", dir, date: dayOf(values.date), addresses: addressesOf(given), format };
    default:
      throw new UsageError(`"${word}": give one of ${words.join(", ")}`);
  }
}

function addressesOf(texts: readonly string[]): Address[] {
  if (texts.length === 0) {
    throw new UsageError("lookup: name the addresses, as: vantage context lookup 192.0.2.1 2001:db8::1");
  }
  return texts.map((text) => {
    const address = parseAddress(text);
    if (address === null) {
      throw new UsageError(`lookup: "${text}" is not an address`);
    }
    return address;
  });
}

function dayOf(text = new Date().toISOString().slice(0, 10)): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new UsageError(`--date "${text}": give a day, as 2026-11-22`);
  }
  return text;
}

function defaultDir(): string {
  const { VANTAGE_CONTEXT_DIR, XDG_DATA_HOME } = process.env;
  return VANTAGE_CONTEXT_DIR || join(XDG_DATA_HOME || join(homedir(), ".local/share"), "vantage/context");
}
