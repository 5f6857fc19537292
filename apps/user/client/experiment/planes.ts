/** The two planes of an experiment, as its controller asks for them: announcements, and probes. */
import type { Announcement } from "../../../../lib/measuring/experiment/definition.ts";

/** What a user's client stack says of the prefix at one exchange server. */
export interface SiteState {
  readonly site: string;
  readonly announce: boolean;
  /** Nanoseconds since the epoch; null = not yet. */
  readonly daemonNs: string | null;
  readonly exchangeNs: string | null;
  readonly exchange: string;
  readonly reason: string | null;
  /** As `DataPlane.clockOf`: the clock of the two times above. */
  readonly clockNs: ClockNow | null;
}

/** A clock at a moment between a question and its answer: at the latest, and at the earliest. */
export type ClockNow = readonly [latestNs: bigint, earliestNs: bigint];

/** What a site is to do; null = withdraw. */
export interface SiteChange {
  readonly site: string;
  readonly as: Announcement | null;
}

export interface ControlPlane {
  /**
   * All of them or none, as one change, whatever the number of sites; the same with a later end renews it. Rejects
   * with GatewayError.
   */
  change(sites: readonly SiteChange[], untilMs: number): Promise<"changed" | "renewed" | "same">;
  withdrawAll(): Promise<void>;
  /** By the newest report; none where it is older than the newest change. */
  states(): Promise<readonly SiteState[]>;
}

/** A path of one peer of one router, as the collector has it. */
export interface HeardRoute {
  /** `2001:db8:51::/48 192.0.2.1 192.0.2.9 in`: the prefix, the router, its peer, the table. */
  readonly subject: string;
  /** The path, since when the router has it by its own clock, and what it makes of it: another when that is another. */
  readonly text: string;
  /** Since when, by the router's clock. */
  readonly changedNs: bigint;
  /** The router is not connected, or has not sent it again. */
  readonly isStale: boolean;
  /** It is stale, or it is not known whether the router uses it. */
  readonly isVague: boolean;
}

/** A router, or all of them (null), that the collector did not hear, by its clock. */
export interface HeardGap {
  readonly router: string | null;
  readonly fromNs: bigint;
  /** Null = it goes on. */
  readonly toNs: bigint | null;
  readonly reason: string;
}

export interface HeardChange {
  /** As of a route. */
  readonly subject: string;
  readonly isThere: boolean;
  /** By the collector's clock. */
  readonly timeNs: bigint;
}

export interface RoutePlane {
  routes(): Promise<readonly HeardRoute[]>;
  /** Those that it still knows of. */
  gaps(): Promise<readonly HeardGap[]>;
  /**
   * Calls `heard` for each change of a path, with the collector's time of it, until the signal; with null when there
   * may be a gap. Rejects where the collector gives no changes.
   */
  follow(heard: (change: HeardChange | null) => void, signal: AbortSignal): Promise<void>;
  /** Its clock now, whole microseconds; null = it does not say. */
  clockNs(): Promise<bigint | null>;
}

export interface Heard {
  /** The agent that the answer came to. */
  readonly agent: string;
  readonly target: string;
  readonly ttl: number;
  readonly router: string;
  /** The agent that asked; empty = not known. */
  readonly sender: string;
  /** TTL that the answer arrived with. */
  readonly replyTtl: number;
  /** By the clock of the agent that the answer came to; when it came, where its RTT is not known. */
  readonly sentNs: bigint;
  readonly receivedNs: bigint;
}

export interface Probed {
  readonly heard: readonly Heard[];
  /** Probes that no agent has sent, and answers that agents counted and the store has not shown in time. */
  readonly unsent: number;
  readonly unseen: number;
  /** Answers that may be of two measurements, and are in neither. */
  readonly ambiguous: number;
  /** When agents were seen to have sent all, by our clock. */
  readonly sentByMs: number;
}

export interface ProbeOrder {
  /** The same key is one measurement, however often it is asked for. */
  readonly key: string;
  readonly agents: readonly string[];
  readonly lines: readonly string[];
  /** So many lines leave together, each interval; null = all as fast as agents send. */
  readonly pace: { readonly everyMs: number; readonly lines: number } | null;
}

export interface DataPlane {
  /** Resolves to the answers when agents have ended, and answers have had time to come. Rejects with GatewayError. */
  probe(order: ProbeOrder, signal: AbortSignal): Promise<Probed>;
  /** The agent's clock; null = nobody has compared it. Rejects with GatewayError. */
  clockOf(agent: string): Promise<ClockNow | null>;
}
