/** Reads the /48 that a caller names, in any spelling. */
import { parsePrefix } from "../../net/ip/prefix.ts";
import { formatLeasePrefix, runOf } from "./prefix-number.ts";

/** In the spelling of RFC 5952; null for anything but an IPv6 /48. */
export function parseLeasePrefix(text: string): string | null {
  const prefix = parsePrefix(text);
  const run = prefix === null ? null : runOf(prefix);
  return run === null || run.first !== run.last ? null : formatLeasePrefix(run.first);
}
