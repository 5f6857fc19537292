/** The command line of `vantage export`, parsed. */
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { contextFolderOption, usualContextFolder } from "../../../../lib/command/command/context-options.ts";
import { addressOptions, loginOptions } from "../../../../lib/command/command/gateway/common-options.ts";
import { file, folder, kindOf, number, text, unfit } from "../../../../lib/command/command/kinds.ts";
import type { Given } from "../../../../lib/command/command/table.ts";
import { citedTextMax } from "../limits.ts";
import { type GatewayLocation, placeOf, type StoreLocation } from "../replies/options.ts";

export interface ExportOrder {
  readonly place: StoreLocation | GatewayLocation;
  /** As it was given. */
  readonly measurement: string;
  readonly folder: string;
  readonly terms: Terms;
  /** Folder of the applicable sets of context; null = none. */
  readonly contextFolder: string | null;
  readonly isUnfinishedTaken: boolean;
}

/** The exporter's statements about the results. */
interface Terms {
  /** SPDX identifier; null grants nothing. */
  readonly licence: string | null;
  readonly authors: readonly string[];
  readonly title: string | null;
  /** The seed of `vantage probes`. */
  readonly seed: number | null;
}

const noLicence = "none";

const licence = kindOf(
  "SPDX-ID",
  [noLicence, "CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0", "ODbL-1.0"],
  (given) => {
    return /^[A-Za-z0-9][A-Za-z0-9.+-]{0,63}$/.test(given)
      ? given
      : unfit("is not the identifier of a licence at spdx.org/licenses, as CC-BY-4.0");
  },
);

/** Written to files in several notations. */
const citedText = kindOf("TEXT", "any", (given) => {
  if (given.trim() === "" || given.length > citedTextMax) {
    return unfit(`is not a text of 1 to ${citedTextMax} characters`);
  }
  return visible(given) === given ? given : unfit("has characters that cannot be printed");
});

export const exportOptions = {
  out: {
    kind: folder,
    notWith: ["verify"],
    meaning: "the folder that is made; none of that name may be filled",
  },
  verify: { kind: folder, meaning: "instead: compare an export with its manifest, and count its rows again" },
  licence: {
    kind: licence,
    default: noLicence,
    needs: "out",
    meaning: "licence for others, such as CC-BY-4.0; without one, no use is granted",
  },
  author: {
    kind: citedText,
    placeholder: "NAME",
    multiple: true,
    needs: "out",
    meaning: "a person or an organisation to cite",
  },
  title: {
    kind: citedText,
    needs: "out",
    defaultText: "the measurement's id",
    meaning: "what to cite it as",
  },
  seed: {
    kind: number(0, 2 ** 32 - 1),
    needs: "out",
    meaning: "the --seed of vantage probes, to have it kept",
  },
  context: {
    ...contextFolderOption,
    needs: "out",
    defaultText:
      "from a column store VANTAGE_CONTEXT_DIR, else ~/.local/share/vantage/context, if it has sets",
    meaning: "sets of vantage context: those of the days are named",
  },
  unfinished: { flag: true, default: false, needs: "out", meaning: "also a measurement that has not ended" },
  ...addressOptions.probing,
  ...loginOptions,
  store: {
    kind: text,
    placeholder: "ADDRESS",
    notWith: ["gateway", "profile", "tokenStdin"],
    meaning: "a column store in place of the gateway: chdb:DIR, or http(s)://[user[:password]@]host:port",
  },
  config: {
    kind: file,
    short: "c",
    notWith: ["gateway", "profile", "tokenStdin"],
    meaning: "its store.address is the column store",
  },
} as const;

export const exportArguments = {
  measurement: {
    kind: text,
    placeholder: "MEASUREMENT",
    meaning: "its id; of the gateway also the beginning of one, or last",
  },
} as const;

/** Throws CommandError `usage`. */
export function exportOrder(given: Given<typeof exportOptions, typeof exportArguments>): ExportOrder {
  const { measurement, out, licence: id, author: authors, title, seed, context, unfinished } = given;
  if (measurement === null) {
    throw wrongUsage("Give the MEASUREMENT to export, or --verify DIR");
  }
  if (out === null) {
    throw wrongUsage("--out is missing: the folder that is made");
  }
  const place = placeOf({ ...given, source: null, output: "table" });
  return {
    place,
    measurement,
    folder: out,
    terms: { licence: id === noLicence ? null : id, authors, title, seed },
    contextFolder: context ?? (place.kind === "store" ? usualContextFolder() : null),
    isUnfinishedTaken: unfinished,
  };
}
