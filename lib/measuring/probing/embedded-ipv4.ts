/**
 * IPv4 addresses inside IPv6 ones: a relay or translator forwards such a packet to the IPv4 address, so a list must be
 * checked for that address too.
 *
 * `2002:a.b.c.d::/48` (6to4, RFC 3056), `::a.b.c.d` (compatible, RFC 4291), `::ffff:0:a.b.c.d` (translated, RFC 2765),
 * `64:ff9b::a.b.c.d` and `64:ff9b:1::/48` (RFC 6052 and 8215), `2001:0:SERVER:…:~CLIENT` (Teredo, RFC 4380, the client
 * with all bits inverted). `::ffff:a.b.c.d` needs nothing: it is how IPv4 is held everywhere (lib/net/ip).
 */
import { type Address, isIpv4, mapped } from "../../net/ip/address.ts";

const nothing: readonly Address[] = [];

/** Returns them in the mapped form; most addresses embed none, and then nothing is allocated. */
export function embeddedIpv4(address: Address): readonly Address[] {
  const first = address[0] ?? 0;
  if (first === 0x20) {
    return ofTunnel(address);
  }
  return first === 0 && !isIpv4(address) ? ofTranslator(address) : nothing;
}

function ofTunnel(address: Address): readonly Address[] {
  const second = address[1] ?? 0;
  if (second === 0x02) {
    return [mapped(address, 2)];
  }
  if (second !== 0x01 || address[2] !== 0 || address[3] !== 0) {
    return nothing;
  }
  const client = address.slice(12).map((byte) => byte ^ 0xff);
  return [mapped(address, 4), mapped(client)];
}

/** In `64:ff9b:1::/48` an operator chooses the prefix's length, so all four positions are checked (RFC 6052 s.2.2). */
function ofTranslator(address: Address): readonly Address[] {
  const isWellKnown = startsWith(address, [0x00, 0x64, 0xff, 0x9b]);
  if (isWellKnown && address[4] === 0 && address[5] === 1) {
    const at = (...places: number[]) => mapped(places.map((place) => address[place] ?? 0));
    return [at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), mapped(address, 12)];
  }
  const isLow = startsWith(address, [0, 0, 0, 0, 0, 0, 0, 0]);
  return isWellKnown || isLow ? [mapped(address, 12)] : nothing;
}

function startsWith(address: Address, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => address[i] === byte);
}
