/** An address within a prefix, both as text. */
import { formatAddress, parseAddress } from "./address.ts";
import { parsePrefix, prefixContains } from "./prefix.ts";

/** The address in the spelling of RFC 5952; null unless it is an address inside the prefix. */
export function addressWithin(text: string, prefixText: string): string | null {
  const [address, prefix] = [parseAddress(text), parsePrefix(prefixText)];
  return address !== null && prefix !== null && prefixContains(prefix, address)
    ? formatAddress(address)
    : null;
}
