/**
 * Discovery targets: prefixes as subnets, addresses to probe in IPv6 subnets, and the test for aliased prefixes.
 *
 * Addresses are whole numbers: 32 bits of IPv4, 128 of IPv6. What is random is a hash of seed and prefix, so that the
 * same list gives the same targets.
 */
import { createHash } from "node:crypto";

/** A prefix by its first address. */
export interface AddressRange {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly length: number;
}

/** A subnet of this size is probed separately: a /24 of IPv4, a /64 of IPv6. */
const usualSubnetLength = { 32: 24, 128: 64 } as const;

/**
 * The subnets of a prefix, one after the other; a prefix that is as long or longer is its own only subnet.
 *
 * @throws RangeError on a length outside of the address, and on host bits
 */
export function* subnetsOf(
  prefix: AddressRange,
  length: number = usualSubnetLength[prefix.bits],
): Generator<AddressRange> {
  const { bits, first } = prefix;
  for (const one of [prefix.length, length]) {
    if (!(Number.isInteger(one) && one >= 0 && one <= bits)) {
      throw new RangeError(`The prefix length is ${one}: give a whole number from 0 to ${bits}`);
    }
  }
  const [size, end] = [1n << BigInt(bits - length), first + (1n << BigInt(bits - prefix.length))];
  if (first % (end - first) !== 0n || end > 1n << BigInt(bits)) {
    throw new RangeError(`The prefix of length ${prefix.length} has host bits`);
  }
  if (length <= prefix.length) {
    yield prefix;
    return;
  }
  for (let subnet = first; subnet < end; subnet += size) {
    yield { bits, first: subnet, length };
  }
}

/** Interface identifiers that people choose: ::1, then low bytes; ::53, ::80, ::443 as written by services. */
const lowIdentifiers = [1n, 2n, 3n, 4n, 5n, 0x10n, 0x11n, 0x53n, 0x80n, 0x100n, 0x443n];

type Ipv6Way = "one" | "low-bytes" | "random";

/**
 * Addresses to probe in an IPv6 subnet: ::1, low numbers as people choose them, or random ones; each once, in order.
 *
 * At most `count`, and as many as the subnet has.
 */
export function ipv6Targets(subnet: AddressRange, way: Ipv6Way, count: number, seed: number): bigint[] {
  const size = 1n << BigInt(128 - subnet.length);
  const offsets = new Set<bigint>();
  const limit = Math.min(count, way === "one" ? 1 : count, Number(size < 65_536n ? size : 65_536n));
  for (const low of way === "random" ? [] : lowIdentifiers) {
    if (offsets.size < limit && low < size) {
      offsets.add(low);
    }
  }
  for (let i = 0; way === "random" && offsets.size < limit; i++) {
    offsets.add(randomBits(`${seed}/${subnet.first}/${subnet.length}/${i}`) % size);
  }
  return [...offsets].map((offset) => subnet.first + offset);
}

/**
 * The 16 addresses that show whether a prefix is aliased: a random one for each value of the next four bits.
 *
 * One machine answers for all of an aliased prefix, so each of them answers (Gasser and others, IMC 2018). A chance hit
 * on 16 random addresses of 64 bits does not happen.
 *
 * @throws RangeError on a prefix longer than /124
 */
export function aliasTargets(prefix: AddressRange, seed: number): bigint[] {
  const left = 128 - prefix.length - 4;
  if (prefix.bits !== 128 || left < 0) {
    throw new RangeError("The test for aliased prefixes needs an IPv6 prefix of /124 or shorter");
  }
  return Array.from({ length: 16 }, (_, nibble) => {
    const rest =
      randomBits(`${seed}/${prefix.first}/${prefix.length}/alias/${nibble}`) % (1n << BigInt(left));
    return prefix.first + (BigInt(nibble) << BigInt(left)) + rest;
  });
}

/** Probes to an address before it counts as silent: replies get lost. */
const aliasAsks = 3;

/**
 * Judges whether a prefix is aliased by its 16 addresses: how often each was probed, and whether it replied.
 *
 * `open` = some were not probed often enough; repeat those that have not replied.
 */
export function judgeAlias(
  addresses: readonly { readonly asked: number; readonly hasAnswered: boolean }[],
): "aliased" | "not-aliased" | "open" {
  if (addresses.some(({ asked, hasAnswered }) => !hasAnswered && asked >= aliasAsks)) {
    return "not-aliased";
  }
  return addresses.length === 16 && addresses.every(({ hasAnswered }) => hasAnswered) ? "aliased" : "open";
}

function randomBits(text: string): bigint {
  return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 32)}`);
}
