/** Blocklists and allowlists as files: a prefix or an address per line; `#` begins a comment. */
import { type Prefix, parsePrefix } from "../../net/ip/prefix.ts";
import { blocklistPrefixesMax, listErrorsShownMax } from "./limits.ts";

type PrefixListResult =
  | { readonly ok: true; readonly prefixes: readonly Prefix[] }
  /** The first of many errors, each with its line number. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** One bad line invalidates the whole list: an ignored typo would leave someone unprotected. */
export function readPrefixList(text: string): PrefixListResult {
  const prefixes: Prefix[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const written = (line.split("#", 1)[0] ?? "").trim();
    const prefix = parsePrefix(written);
    if (prefix !== null) {
      prefixes.push(prefix);
    } else if (written !== "" && problems.length < listErrorsShownMax) {
      problems.push(`line ${index + 1}: "${written.slice(0, 64)}" is not a prefix, or has host bits`);
    }
  }
  if (prefixes.length > blocklistPrefixesMax) {
    problems.push(`${prefixes.length} prefixes are more than ${blocklistPrefixesMax}`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, prefixes };
}
