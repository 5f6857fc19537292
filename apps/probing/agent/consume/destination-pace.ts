/**
 * Rate limits per address and per network (/24 or /48), over all of this agent's instances, as the consumer feeds them
 * all.
 *
 * Each is a bucket that holds a second of its rate (at least one probe) and is known by a hash: the time at which it
 * will be empty again (virtual scheduling, ITU-T I.371). A TCP packet counts ten times, because a SYN makes its
 * receiver keep state. So in any T seconds no more than (T + 1) x rate packets pass. Two destinations whose hashes
 * collide share a bucket: they are slower than allowed, and never faster.
 *
 * Most destinations are probed rarely. For them only one bucket is checked: their network's activity, at the smallest
 * of the rates. While it is not full no address in it can be over any rate; when it is, the exact buckets are checked,
 * which begin empty, so that a burst may last one second more. Tables: 65,536 networks in 512 KB, and three of 131,072
 * in 1 MB each, touched for busy networks alone. At a million packets a second to random addresses an activity bucket
 * gets 15 a second; the exact ones are checked from 50.
 */
import {
  addressHash,
  bucketOf,
  destinationBuckets,
  mix,
  networkHash,
} from "../../../../lib/measuring/probing/destination-bucket.ts";
import { tcpCost } from "../../../../lib/measuring/probing/limits.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { DestinationShare } from "../../../../lib/net/wire/target-header.ts";
import type { CrowdBoard } from "./crowd-board.ts";

/** Packets/s; 0 = without limit. */
export interface DestinationRates {
  readonly address: number;
  readonly network: number;
}

/** The gateway's limits for one measurement. Agents at a destination share two of the rates equally. */
export interface PaceLimits extends DestinationRates {
  /** Packets/s to one address, for all measurements of one user. */
  readonly userAddress: number;
  readonly userHash: number;
  /** Agents to divide by until `knownAtMs`, when the gateway starts to send numbers per destination. */
  readonly agents: number;
  readonly knownAtMs: number;
  /** Whether there are no limits to check, including the agent's own rates. */
  readonly isFree: boolean;
}

/** Other agents at a destination. */
type Crowd = Pick<CrowdBoard, "agentsAt">;

const exactBits = 17;
const burstMs = 1000;
/** Cap of an activity bucket: it is empty two seconds after the last packet. */
const activityMs = 2 * burstMs;

export class DestinationPace {
  /** Delayed probes of all records: while it is not 0, probes overtake each other. */
  held = 0;
  readonly #own: DestinationRates;
  readonly #crowd: Crowd;
  readonly #activity = new Float64Array(destinationBuckets);
  readonly #userAddresses = new Float64Array(1 << exactBits);
  readonly #addresses = new Float64Array(1 << exactBits);
  readonly #networks = new Float64Array(1 << exactBits);

  constructor(own: DestinationRates, crowd: Crowd = alone) {
    this.#own = own;
    this.#crowd = crowd;
  }

  limitsOf(share: DestinationShare | null): PaceLimits {
    const { address, network, userAddress, user, agents, knownAtMs } = share ?? noShare;
    const isFree = this.#own.address + this.#own.network + address + network + userAddress === 0;
    return { address, network, userAddress, userHash: hashOfText(user), agents, knownAtMs, isFree };
  }

  /**
   * Accounts for packets to the destination. 0 = they may leave now; otherwise nothing is counted, and the
   * result is the time in ms after which to retry. `nowMs` is from a monotonic clock.
   */
  take(destination: Address, packets: number, limits: PaceLimits, nowMs: number): number {
    if (limits.isFree) {
      return 0;
    }
    const hash = networkHash(destination);
    const bucket = bucketOf(hash);
    const agents = this.#crowd.agentsAt(bucket, limits);
    const address = smaller(this.#own.address, limits.address / agents);
    const network = smaller(this.#own.network, limits.network / agents);
    const least = smaller(smaller(address, network), limits.userAddress);
    const before = Math.max(this.#activity[bucket] ?? 0, nowMs);
    const after = before + (1000 * packets) / least;
    this.#activity[bucket] = Math.min(after, nowMs + activityMs);
    return after <= nowMs + burstMs
      ? 0
      : this.#takeExactly(destination, packets, { ...limits, address, network }, { hash, nowMs });
  }

  #takeExactly(
    destination: Address,
    packets: number,
    { address, network, userAddress, userHash }: PaceLimits,
    at: { readonly hash: number; readonly nowMs: number },
  ): number {
    const own = addressHash(destination);
    const buckets = [
      { table: this.#userAddresses, rate: userAddress, hash: mix(own ^ userHash) },
      { table: this.#addresses, rate: address, hash: own },
      { table: this.#networks, rate: network, hash: at.hash },
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

const noShare = { user: "", userAddress: 0, address: 0, network: 0, agents: 1, knownAtMs: 0 };
const alone: Crowd = { agentsAt: (_, { agents }) => agents };

/** The weight of a packet. */
export function costOf(protocol: string, isDns = false): number {
  return protocol === "tcp" || isDns ? tcpCost : 1;
}

/** The smaller limit; 0 = without limit. */
function smaller(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

function hashOfText(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = mix(hash ^ text.charCodeAt(i));
  }
  return hash;
}
