/**
 * The address that a message goes to: users name hosts, and must not reach what only the gateway reaches. A name is
 * resolved once, all of its addresses must be public, and the connection goes to the address that was looked at: what
 * the name stands for a moment later does not matter.
 */
import { lookup } from "node:dns/promises";
import { systemReason } from "../../../lib/failure/system-reason.ts";
import { parseAddress } from "../../../lib/ip/address.ts";
import { isReserved } from "../../../lib/probing/is-reserved.ts";

type Resolved =
  | { readonly ok: true; readonly address: string }
  /** `isFinal`: asking again changes nothing. */
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean };

/** `allowed` are names of hosts, or addresses, that may be private: the operator's own. */
export async function publicAddress(host: string, allowed: readonly string[]): Promise<Resolved> {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  let found: readonly string[];
  try {
    found = (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (error) {
    return { ok: false, reason: `Cannot find ${name}: ${systemReason(error)}`, isFinal: false };
  }
  const [first] = found;
  if (first === undefined) {
    return { ok: false, reason: `${name} has no address`, isFinal: false };
  }
  const strange = allowed.includes(name) ? undefined : found.find(isPrivate);
  return strange === undefined
    ? { ok: true, address: first }
    : { ok: false, reason: `${name} has the address ${strange}, which is not public`, isFinal: true };
}

/** Also what is no address, such as one with a zone. */
function isPrivate(text: string): boolean {
  const address = parseAddress(text);
  return address === null || isReserved(address);
}
