/**
 * How fast packets may go to one address, and to one network (/24 or /48): of all instances of this agent together, as
 * the consumer feeds them all.
 *
 * Each is a bucket that holds a second of its rate (at least one probe) and is known by a hash: the time at which it
 * will be empty again (virtual scheduling, ITU-T I.371). A TCP packet counts ten times, because a SYN makes its
 * receiver keep state. So in any T seconds no more than (T + 1) x rate packets pass. Two destinations whose hashes meet
 * share a bucket: they are slower than they may be, and never faster.
 *
 * Most destinations are asked for now and then. For them one bucket is looked at: that of their network's activity, at
 * the smallest of the rates. While it is not full no address in it can be over any rate; when it is, the exact ones are
 * asked, which begin empty, so that a burst may have one second more. Tables: 65,536 networks in 512 KB, and three of
 * 131,072 in 1 MB each, touched for busy networks alone. At a million packets a second to random places a bucket of
 * activity gets 15, of the 50 at which the exact ones are asked.
 */
import { type Address, isIpv4 } from "../../../lib/ip/address.ts";
import type { DestinationShare } from "../../../lib/wire/target-header.ts";

/** Packets/s; 0 = without limit. */
export interface DestinationRates {
  readonly address: number;
  readonly network: number;
}

/** What holds for one measurement: the smaller of the agent's own rates and the share that the gateway gives. */
export interface PaceLimits extends DestinationRates {
  /** To one address, of all measurements of one user. */
  readonly userAddress: number;
  readonly userHash: number;
  /** The least of the three; 0 = nothing to look at. */
  readonly least: number;
}

const networkBits = 16;
const exactBits = 17;
const burstMs = 1000;
/** Beyond it a bucket of activity does not grow: two seconds after the last packet it is forgotten. */
const activityMs = 2 * burstMs;
const tcpCost = 10;

export class DestinationPace {
  /** Probes that wait, of all records: while it is not 0, probes pass each other. */
  held = 0;
  readonly #own: DestinationRates;
  readonly #activity = new Float64Array(1 << networkBits);
  readonly #userAddresses = new Float64Array(1 << exactBits);
  readonly #addresses = new Float64Array(1 << exactBits);
  readonly #networks = new Float64Array(1 << exactBits);

  constructor(own: DestinationRates) {
    this.#own = own;
  }

  limitsOf(share: DestinationShare | null): PaceLimits {
    const address = smaller(this.#own.address, share?.address ?? 0);
    const network = smaller(this.#own.network, share?.network ?? 0);
    const userAddress = share?.userAddress ?? 0;
    const least = smaller(smaller(address, network), userAddress);
    return { address, network, userAddress, userHash: hashOfText(share?.user ?? ""), least };
  }

  /**
   * Takes so many packets to the destination; 0 = they may go now, else nothing is taken, and it is the time in ms
   * after which to ask again. `nowMs` is of a clock that only goes forward.
   */
  take(destination: Address, packets: number, limits: PaceLimits, nowMs: number): number {
    if (limits.least === 0) {
      return 0;
    }
    const network = networkHash(destination);
    const cell = network >>> (32 - networkBits);
    const before = Math.max(this.#activity[cell] ?? 0, nowMs);
    const after = before + (1000 * packets) / limits.least;
    this.#activity[cell] = Math.min(after, nowMs + activityMs);
    return after <= nowMs + burstMs ? 0 : this.#takeExactly(destination, packets, limits, { network, nowMs });
  }

  #takeExactly(
    destination: Address,
    packets: number,
    { address, network, userAddress, userHash }: PaceLimits,
    at: { readonly network: number; readonly nowMs: number },
  ): number {
    const own = addressHash(destination);
    const buckets = [
      { table: this.#userAddresses, rate: userAddress, hash: mix(own ^ userHash) },
      { table: this.#addresses, rate: address, hash: own },
      { table: this.#networks, rate: network, hash: at.network },
    ].filter(({ rate }) => rate > 0);
    let waitMs = 0;
    for (const { table, rate, hash } of buckets) {
      const takesMs = (1000 * packets) / rate;
      const fullMs = Math.max(table[hash >>> (32 - exactBits)] ?? 0, at.nowMs) + takesMs;
      waitMs = Math.max(waitMs, fullMs - at.nowMs - Math.max(burstMs, takesMs));
    }
    if (waitMs > 0) {
      return waitMs;
    }
    for (const { table, rate, hash } of buckets) {
      const cell = hash >>> (32 - exactBits);
      table[cell] = Math.max(table[cell] ?? 0, at.nowMs) + (1000 * packets) / rate;
    }
    return 0;
  }
}

/** What a packet counts. */
export function costOf(protocol: string): number {
  return protocol === "tcp" ? tcpCost : 1;
}

/** 0 is without limit. */
function smaller(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

function networkHash(bytes: Address): number {
  const start = isIpv4(bytes) ? 12 : 0;
  const high = wordAt(bytes, start);
  return start === 12 ? mix(high >>> 8) : mix(mix(high) ^ (wordAt(bytes, 4) >>> 16));
}

function addressHash(bytes: Address): number {
  return mix(mix(mix(mix(wordAt(bytes, 0)) ^ wordAt(bytes, 4)) ^ wordAt(bytes, 8)) ^ wordAt(bytes, 12));
}

function hashOfText(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = mix(hash ^ text.charCodeAt(i));
  }
  return hash;
}

function wordAt(bytes: Uint8Array, offset: number): number {
  const high = ((bytes[offset] ?? 0) << 24) | ((bytes[offset + 1] ?? 0) << 16);
  return high | ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0);
}

/** The last step of MurmurHash3: every bit of the word reaches every bit of the hash. */
function mix(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16) ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
