/**
 * Blocklists and allowlists as files: a prefix or an address per line, `#` to the end of a line is a comment.
 *
 * A comment behind a prefix is its reason, which users are told: `198.51.100.0/24  # asked by its owner`.
 */
import { formatPrefix, type Prefix, parsePrefix } from "../ip/prefix.ts";
import { blocklistPrefixesMax, listErrorsShownMax } from "./limits.ts";
import { PrefixSet } from "./prefix-set.ts";

export interface ListedPrefix {
  readonly prefix: Prefix;
  /** Null = none was given. */
  readonly reason: string | null;
}

export type PrefixListResult =
  | { readonly ok: true; readonly entries: readonly ListedPrefix[] }
  /** Each with its line number, the first ones of many. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the whole text; one bad line makes the whole list bad, because a typo would leave somebody unprotected. */
export function readPrefixList(text: string): PrefixListResult {
  const entries: ListedPrefix[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const [before = "", ...comment] = line.split("#");
    const written = before.trim();
    const prefix = written === "" ? null : parsePrefix(written);
    if (prefix !== null) {
      entries.push({ prefix, reason: comment.join("#").trim() || null });
    } else if (written !== "" && problems.length < listErrorsShownMax) {
      problems.push(`line ${index + 1}: "${written.slice(0, 64)}" is no prefix or has host bits`);
    }
  }
  if (entries.length > blocklistPrefixesMax) {
    problems.push(`${entries.length} prefixes are more than ${blocklistPrefixesMax}`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, entries };
}

/** Prefixes with the reason of each, to ask by address. */
export class PrefixList {
  readonly prefixes: PrefixSet;
  readonly #reasons = new Map<string, string>();

  constructor(entries: Iterable<ListedPrefix>) {
    const all = [...entries];
    this.prefixes = new PrefixSet(all.map((entry) => entry.prefix));
    for (const { prefix, reason } of all) {
      if (reason !== null) {
        this.#reasons.set(formatPrefix(prefix), reason);
      }
    }
  }

  /** The most specific entry that holds the address of 16 bytes; null = none does. */
  match(bytes: Uint8Array, offset = 0): ListedPrefix | null {
    const prefix = this.prefixes.match(bytes, offset);
    return prefix && { prefix, reason: this.#reasons.get(formatPrefix(prefix)) ?? null };
  }
}
