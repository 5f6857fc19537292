/** What a test asks of a prober inside a namespace, and what it hears back: both are JSON on a pipe. */
import type { Protocol } from "../../lib/net/packet/probe.ts";
import type { MplsLabel } from "../../lib/net/packet/reply.ts";

export interface JobProbe {
  readonly src: string;
  readonly dst: string;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  readonly protocol: Protocol;
  readonly measurement: number;
}

export interface ProbeJob {
  readonly interfaceName: string;
  readonly rateProbesPerSec: number;
  /** Prefixes whose answers are ours. */
  readonly sources: readonly string[];
  readonly integrityCheck: boolean;
  readonly probes: readonly JobProbe[];
  /** How often the list is sent. */
  readonly rounds: number;
  /** Ends when this many replies came, or `waitMs` after the last probe. */
  readonly repliesExpected: number;
  readonly waitMs: number;
}

export interface SeenReply {
  readonly from: string;
  readonly to: string;
  readonly icmpType: number;
  readonly icmpCode: number;
  readonly labels: readonly MplsLabel[];
  readonly dst: string;
  readonly srcPort: number;
  readonly ttl: number;
  readonly verdict: "match" | "mismatch";
  /** Bits of what its quote has otherwise than it was sent. */
  readonly rewritten: number;
  readonly measurement: number;
  readonly rttTenthMs: number;
}

export interface ProbeOutcome {
  /** The first hundred of each kind (all fields but `rttTenthMs` and `measurement` equal). */
  readonly replies: readonly SeenReply[];
  readonly repliesTotal: number;
  /** Replies to a probe whose send time was not known yet; exact when each probe has a source port of its own. */
  readonly untimed: number;
  /**
   * Replies with a time in microseconds, and those of them whose time differs by more than the rounding from what the
   * capture and the sender's own note say; exact as `untimed`.
   */
  readonly fine: number;
  readonly wrong: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  /** Why the engine did not start; null when it did. */
  readonly startError: string | null;
}
