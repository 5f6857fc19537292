/** A user's own IPv6 prefix at an agent: the agent's prefix, then the user's number in the next 32 bits. */
import { addressBytes } from "../../net/ip/address.ts";
import type { Prefix } from "../../net/ip/prefix.ts";

const userIdBits = 32;
const addressBits = 8 * addressBytes;

/** Bits of the longest agent prefix that leaves room: at least 32 bits for hosts and flows after the number. */
const agentPrefixLengthMax = 96;

/**
 * `2001:db8:1234::/48` and user 0xc95b3f80 give `2001:db8:1234:c95b:3f80::/80`.
 *
 * Null for IPv4, and for an agent prefix longer than /96.
 */
export function userPrefix(agentPrefix: Prefix, userId: number): Prefix | null {
  const { base, length, family } = agentPrefix;
  if (family !== 6 || length > agentPrefixLengthMax) {
    return null;
  }
  const own = BigInt(userId) << BigInt(addressBits - length - userIdBits);
  return { base: bytesOf(numberOf(base) | own), length: length + userIdBits, family };
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function bytesOf(number: bigint): Uint8Array {
  return Uint8Array.from({ length: addressBytes }, (_, i) =>
    Number((number >> BigInt(8 * (addressBytes - 1 - i))) & 0xffn),
  );
}
