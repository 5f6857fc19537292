/** A ping as others' formats have it: probes of one TTL to one destination, answer by answer. */
import type { Sending, TraceReply } from "./trace.ts";

export interface Ping extends Sending {
  readonly measurement_id: string;
  readonly agent: string;
  readonly address: string;
  /** `UDP`, `ICMP`, `ICMPv6` or `TCP`. */
  readonly protocol: string;
  /** The identifier, for ICMP; the lowest, for TCP. */
  readonly src_port: number;
  readonly dst_port: number;
  readonly ttl: number;
  readonly round: number;
  readonly sent: number;
  /** By time of capture, those of others than the destination too. */
  readonly replies: readonly TraceReply[];
}
