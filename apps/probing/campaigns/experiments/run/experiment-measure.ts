/** The services that experiments need from their gateway, besides those of other campaigns. */
import type { MadeFor } from "../../journal.ts";
import type { Probed, Received } from "./planes.ts";

interface PacedOrder {
  readonly userHash: string;
  /** Idempotency key, as in every step. */
  readonly key: string;
  readonly agents: string;
  /** Probe lines. */
  readonly probes: string;
  readonly step: MadeFor;
  /** Lines that leave together in each interval; null = all as fast as agents send. */
  readonly pace: { readonly everyMs: number; readonly lines: number } | null;
}

/** Sums over its agents. */
interface Progress {
  readonly isOver: boolean;
  readonly expected: number;
  readonly sent: number;
  readonly replies: number;
}

interface AgentClock {
  /** The gateway's clock, and when the agent last reported. */
  readonly timeMs: number;
  readonly receivedMs: number;
  readonly offset_ms: number;
  readonly within_ms: number;
}

export interface ExperimentMeasure {
  /** Resolves to the measurement's id, whether it was made now or before. Throws Problem. */
  submitPaced(order: PacedOrder): Promise<string>;
  progress(measurementId: string): Promise<Progress>;
  replies(
    userHash: string,
    measurementId: string,
  ): Promise<{ readonly received: readonly Received[] } & Pick<Probed, "ambiguous">>;
  /** Null = never compared. */
  clockOf(agent: string): Promise<AgentClock | null>;
  /** The user's own prefixes at an agent. */
  prefixesAt(userHash: string, agent: string): Promise<readonly string[]>;
  /** Probes per second of its slowest instance; null = it has none. */
  rateOf(agent: string): Promise<number | null>;
}
