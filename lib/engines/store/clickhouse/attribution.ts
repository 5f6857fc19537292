/**
 * Attributes replies without a measurement to one: answers captured by another site, and those of agents that do not
 * mark them. The rule, its bounds and the reasons are in docs/internals/store.md.
 *
 * A reply may answer each probe with the same source, destination, protocol, ports and TTL that was submitted before
 * the answered one left; `received - rtt` is that time. Where the source was left to the agent, the agent stands
 * for it. If these probes all belong to one measurement, the reply does too. If not, it is ambiguous and belongs to
 * none.
 */
import type { Address } from "../../../net/ip/address.ts";

/** Sending times of one measurement, in milliseconds since the epoch. */
export interface Sending {
  /** UUID. */
  readonly id: string;
  /** When all had been sent; null when some may still be sent. */
  readonly endMs: number | null;
  /** Answers that fit nothing else are accepted until then: agents' reports and answers may be late. */
  readonly answersUntilMs: number;
}

export interface Attribution {
  /**
   * The range in which answers to it, including those that are too early, can have come; milliseconds since the epoch.
   */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Its sources, as far as they were given. */
  readonly sources: readonly Address[];
  /** Agents that chose their source themselves. */
  readonly agents: readonly string[];
  readonly own: Sending;
  /** Other measurements that sent from the same sources or agents at the time. */
  readonly rivals: readonly Sending[];
  /** Whether there are more rivals than the limit: then all its candidates are ambiguous. */
  readonly isCrowded: boolean;
}
