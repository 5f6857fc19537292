/**
 * Which replies without a measurement belong to one all the same: answers that another site heard, and those of
 * agents that do not say. The rule, its bounds and the reasons are in docs/store.md.
 *
 * A reply may answer each probe with the same source, destination, protocol, ports and TTL that was submitted before
 * the answered one left; `received - rtt` says when that was. Where the source was left to the agent, the agent
 * stands for it. If these probes are all of one measurement, the reply is its. If not, it is ambiguous: nobody's.
 */
import type { Address } from "../../ip/address.ts";

/** When the probes of one measurement left, in milliseconds since the epoch. */
export interface Sending {
  /** UUID. */
  readonly id: string;
  /** All had left by then; null when they may still leave. */
  readonly endMs: number | null;
  /** Answers that fit nothing else are taken until then: agents' reports and answers may be late. */
  readonly answersUntilMs: number;
}

export interface Attribution {
  /** When answers to it, and such as are too early to be, can have come; milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Its sources, as far as they were given. */
  readonly sources: readonly Address[];
  /** Agents that chose their source themselves. */
  readonly agents: readonly string[];
  readonly own: Sending;
  /** Other measurements that sent from the same sources or agents at the time. */
  readonly rivals: readonly Sending[];
  /** Whether there are more rivals than were looked at: then no reply can be told apart. */
  readonly isCrowded: boolean;
}
