/** Options of commands that show context of addresses: `--with`, `--context`, `--resolver`. */
import { homedir } from "node:os";
import { join } from "node:path";
import { AddressContext, dayOf } from "../../answers/enrich/address-context.ts";
import { type ContextField, contextFields } from "../../answers/enrich/context-fields.ts";
import { isNameServer, Names } from "../../answers/enrich/names.ts";
import { ContextSets } from "../../measuring/context/disk/context-sets.ts";
import { cannot } from "./command-error.ts";
import { folder, kindOf, unfit } from "./kinds.ts";

const nothing = "none";
/** Fields shown with each hop by default when a set is on disk. */
const usualFields: readonly ContextField[] = ["asn", "ixp"];

const fields = kindOf("FIELDS", [...contextFields, nothing], (given): readonly ContextField[] => {
  const words = given.split(",").map((word) => word.trim());
  if (given === nothing) {
    return [];
  }
  const strange = words.find((word) => !contextFields.some((field) => field === word));
  return strange === undefined
    ? contextFields.filter((field) => words.includes(field))
    : unfit(`has "${strange}", which is not one of ${contextFields.join(", ")} (none alone: nothing)`);
});

const server = kindOf("SERVER", "any", (given) => {
  return isNameServer(given)
    ? given
    : unfit("is not the address of a name server, as 192.0.2.53 or [2001:db8::53]:5353");
});

/** The default folder of context sets. */
export const contextFolderOption = {
  kind: folder,
  defaultText: "VANTAGE_CONTEXT_DIR, else ~/.local/share/vantage/context",
  meaning: "where the sets lie",
} as const;

export function contextFolderDefault(): string {
  const { VANTAGE_CONTEXT_DIR, XDG_DATA_HOME } = process.env;
  return VANTAGE_CONTEXT_DIR || join(XDG_DATA_HOME || join(homedir(), ".local/share"), "vantage/context");
}

/** The default folder; null when it has no sets or is unreadable. */
export function usualContextFolder(): string | null {
  const path = contextFolderDefault();
  return hasSets(new ContextSets(path)) ? path : null;
}

export const contextOptions = {
  with: {
    kind: fields,
    defaultText: `in text ${usualFields.join()}, where a set is on disk`,
    meaning: `what is known about addresses: ${contextFields.join(",")}, or ${nothing}`,
  },
  context: {
    ...contextFolderOption,
    meaning: 'where the sets of "vantage context" lie',
  },
  resolver: {
    kind: server,
    multiple: true,
    meaning: "name server for names, 192.0.2.53 or [2001:db8::53]:5353, in place of the system's",
  },
} as const;

export interface ContextRequest {
  /** Null = the default fields for people, if there is a set. */
  readonly fields: readonly ContextField[] | null;
  /** Null = the default folder. */
  readonly folder: string | null;
  readonly servers: readonly string[];
  /** Adds names to any choice of fields. */
  readonly isNamed: boolean;
}

export interface ContextGiven {
  readonly with: readonly ContextField[] | null;
  readonly context: string | null;
  readonly resolver: readonly string[];
  readonly resolve?: boolean;
}

export function contextRequest({
  with: fields,
  context,
  resolver: servers,
  resolve,
}: ContextGiven): ContextRequest {
  return { fields, folder: context, servers, isNamed: resolve ?? false };
}

/**
 * @param isDrawn the output is for people, so it may have fields that were not requested
 * @throws CommandError when a set is requested and there are none
 */
export function openAddressContext(
  { fields: asked, folder: given, servers, isNamed }: ContextRequest,
  isDrawn: boolean,
): AddressContext {
  const path = given ?? contextFolderDefault();
  const sets = new ContextSets(path);
  const isUsual = asked === null && (given !== null || (isDrawn && hasSets(sets)));
  const chosen = asked ?? (isUsual ? usualFields : []);
  const wanted = contextFields.filter((field) => chosen.includes(field) || (isNamed && field === "name"));
  const needsSets = wanted.some((field) => field !== "name");
  if (needsSets) {
    sets.refresh();
    if (sets.isEmpty) {
      throw cannot(`no set of context in ${path}: make one with: vantage context update FILE…`);
    }
    // Slow and fallible, so it runs before anything is sent.
    sets.forDay(dayOf(Date.now()));
  }
  return new AddressContext({
    fields: wanted,
    sets: needsSets ? sets : null,
    names: wanted.includes("name") ? new Names({ servers }) : null,
  });
}

/** With `sudo -u` the default folder may be another user's: then it is ignored, unless a set was requested. */
function hasSets(sets: ContextSets): boolean {
  try {
    sets.refresh();
    return !sets.isEmpty;
  } catch {
    return false;
  }
}
