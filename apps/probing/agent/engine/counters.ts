/** Counters of a worker in shared memory: written by it alone, read by anyone. Float64, exact up to 2^53. */

export const senderCounterNames = [
  "sender_read",
  "sender_sent",
  /** The length of these frames. */
  "sender_bytes",
  /** No route of the interface covers the destination. */
  "sender_failed_route",
  /** The next hop doesn't reply to ARP or neighbour discovery. */
  "sender_failed_neighbour",
  /** The kernel refused the frame. */
  "sender_failed_kernel",
  /** Frames dropped after they were accepted (`xdp`): they also count as sent. */
  "sender_dropped",
  /** Sends repeated because the device's queue was full. */
  "sender_retries",
  /** Counted in a dry run, not sent. */
  "sender_dry",
  /** Removed from the ring unsent, because their measurement was cancelled. */
  "sender_cancelled",
  /** TCP, DNS and sized probes that were sent but not remembered, for lack of room. */
  "sender_tcp_forgotten",
  /** Packets of recorded measurements that were sent but not copied: the copies were not read in time. */
  "sender_not_recorded",
] as const;

/** The refusals of tests/packet/raw-reply.ts and the rest, in the order of the hot path's counters. */
export const receiverCounterNames = [
  "refused_truncated",
  "refused_link_unknown",
  "refused_not_ip",
  "refused_malformed",
  "refused_fragment",
  "refused_other_protocol",
  "refused_other_type",
  "refused_quote_truncated",
  "refused_quote_other",
  /** Replies to probes from addresses that are not ours. */
  "reply_foreign",
  /** Later than a wrap of the time code: dropped, because the RTT is ambiguous. */
  "reply_stale",
  /** ICMP whose tag does not fit. */
  "reply_mismatch",
  /** ICMP that quotes no part of a tag. */
  "reply_untagged",
  /** Replies to TCP that match no probe sent within a wrap. */
  "reply_tcp_unproven",
  "reply_matched",
  "capture_frames",
  /** Replies whose own ICMP checksum is wrong. */
  "reply_bad_checksum",
  /** Replies with labels that are not kept, in the order of `labelLosses` of tests/packet/extensions.ts. */
  "labels_lost_bad_version",
  "labels_lost_bad_checksum",
  "labels_lost_cut",
  "labels_lost_malformed",
  "labels_lost_too_many",
  /** Name servers' answers whose site is missing or cut, in the order of `siteFlaws` of tests/packet/site-flaw.ts. */
  "sites_lost_unreadable",
  "sites_lost_cut",
  "capture_received",
  "capture_dropped",
  "capture_interface_dropped",
  /** Times that the receiver waited because its replies were not read. */
  "reply_ring_full",
  /** The part of `reply_matched` that answers probes of another agent or instance of `anycast_peers`. */
  "reply_of_peer",
  /** Replies to recorded measurements that were not copied: the copies were not read in time. */
  "capture_not_recorded",
] as const;

export const counterBytes = Float64Array.BYTES_PER_ELEMENT;

export class Counters<Name extends string> {
  readonly buffer: SharedArrayBuffer;
  readonly #names: readonly Name[];
  readonly #values: Float64Array;

  constructor(names: readonly Name[], buffer = new SharedArrayBuffer(names.length * counterBytes)) {
    this.#names = names;
    this.buffer = buffer;
    this.#values = new Float64Array(buffer);
  }

  add(name: Name, count: number): void {
    const index = this.#names.indexOf(name);
    this.#values[index] = (this.#values[index] ?? 0) + count;
  }

  /** Sets a counter by its index in the list of names. */
  setAt(index: number, value: number): void {
    this.#values[index] = value;
  }

  set(name: Name, value: number): void {
    this.#values[this.#names.indexOf(name)] = value;
  }

  get(name: Name): number {
    return this.#values[this.#names.indexOf(name)] ?? 0;
  }

  /** Returns `sums`. */
  addTo(sums: Record<string, number>): Record<string, number> {
    this.#names.forEach((name, i) => {
      sums[name] = (sums[name] ?? 0) + (this.#values[i] ?? 0);
    });
    return sums;
  }
}
