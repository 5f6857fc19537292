/** The path from one agent to one destination, as its probes and replies show it. */
import type { Address } from "../ip/address.ts";
import type { Protocol } from "../packet/probe.ts";
import type { Hop } from "../paths/hops.ts";

export interface MeasuredPath {
  /** The agent that sent the probes, if known, else the one that captured the answers. */
  readonly agent: string;
  readonly target: Address;
  readonly protocol: Protocol;
  /** In the order of their ports; the flows of a hop are indexes of them. */
  readonly flows: readonly MeasuredFlow[];
  /** Whether the target itself has answered. */
  readonly reached: boolean;
  /**
   * `submitted` = `answered` + `lost`. For identical probes (one flow and TTL) the number of answers counts as
   * answered; of probes whose submission is not in the store only the answers are known.
   */
  readonly probes: { readonly submitted: number; readonly answered: number; readonly lost: number };
  readonly hops: readonly Hop[];
}

interface MeasuredFlow {
  readonly srcPort: number;
  /** 0 for ICMP. */
  readonly dstPort: number;
  /** Where it ends: at the target, or at a router that refuses it; null when neither answered. */
  readonly endTtl: number | null;
}
