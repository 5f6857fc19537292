/** The two planes of an experiment, as its controller asks for them: announcements, and probes. */
import type { Announcement } from "../../../../../lib/measuring/experiment/definition.ts";

/** What a user's client stack says of the prefix at one exchange server. */
export interface SiteState {
  readonly site: string;
  readonly announce: boolean;
  /** Nanoseconds since the epoch; null = not yet. */
  readonly daemonNs: string | null;
  readonly exchangeNs: string | null;
  readonly exchange: string;
  readonly reason: string | null;
  /** The clock of the two times above; see `DataPlane.clockOf`. */
  readonly clockNs: ClockNow | null;
}

/** A clock's latest and earliest value at a moment between a request and its response. */
export type ClockNow = readonly [latestNs: bigint, earliestNs: bigint];

/** A site's action; null = withdraw. */
export interface SiteChange {
  readonly site: string;
  readonly as: Announcement | null;
}

export interface ControlPlane {
  /**
   * All of them or none, as one change, for any number of sites; the same with a later end renews it. Numbers never
   * fall: a lower one is refused. Rejects with GatewayError.
   */
  change(
    sites: readonly SiteChange[],
    untilMs: number,
    number: number,
  ): Promise<"changed" | "renewed" | "same">;
  withdrawAll(number: number): Promise<void>;
  /** From the newest report; none where it is older than the newest change. */
  states(): Promise<readonly SiteState[]>;
  /** Null = there is none. */
  lease(): Promise<LeaseTerms | null>;
  /** Hours from now; resolves to its new end. */
  renewLease(hours: number): Promise<string>;
}

interface LeaseTerms {
  readonly endMs: number;
  readonly hoursMax: number;
  readonly grantEndMs: number;
}

/** A path of one peer of one router, from the collector. */
export interface ReceivedRoute {
  /** `2001:db8:51::/48 192.0.2.1 192.0.2.9 in`: the prefix, the router, its peer, the table. */
  readonly subject: string;
  /** The path, its start by the router's clock, and the router's use of it: changes when any of these does. */
  readonly text: string;
  /** Its start, by the router's clock. */
  readonly changedNs: bigint;
  /** Stale: the session is down, or the route was not refreshed after a restart. */
  readonly isStale: boolean;
  /** It is stale, or the router's use of it is unknown. */
  readonly isVague: boolean;
}

/** A period without messages from a router, or from all of them (null), by the collector's clock. */
export interface ReportedGap {
  readonly router: string | null;
  readonly fromNs: bigint;
  /** Null = it continues. */
  readonly toNs: bigint | null;
  readonly reason: string;
}

export interface ReceivedChange {
  /** The same key as a route's. */
  readonly subject: string;
  readonly isThere: boolean;
  /** By the collector's clock. */
  readonly timeNs: bigint;
}

export interface RoutePlane {
  routes(): Promise<readonly ReceivedRoute[]>;
  /** AS paths to an address outside, from all peers of its routers. */
  pathsTo(address: string): Promise<readonly (readonly number[])[]>;
  /** Gaps that it still has. */
  gaps(): Promise<readonly ReportedGap[]>;
  /**
   * Calls `received` for each change of a path, with the collector's time, until the signal; with null when there may
   * be a gap. Rejects where the collector has no stream of changes.
   */
  follow(received: (change: ReceivedChange | null) => void, signal: AbortSignal): Promise<void>;
  /** Its clock now, whole microseconds; null = not reported. */
  clockNs(): Promise<bigint | null>;
}

export interface Received {
  /** The agent that received the reply. */
  readonly agent: string;
  readonly target: string;
  readonly ttl: number;
  readonly router: string;
  /** The agent that sent the probe; empty = unknown. */
  readonly sender: string;
  /** The reply's TTL on arrival. */
  readonly replyTtl: number;
  /** By the receiving agent's clock; the time of receipt if the RTT is unknown. */
  readonly sentNs: bigint;
  readonly receivedNs: bigint;
}

export interface Probed {
  readonly received: readonly Received[];
  /** Probes that were not sent, and replies that agents counted but that were not stored in time. */
  readonly unsent: number;
  readonly unseen: number;
  /** Replies that match two measurements, and are in neither. */
  readonly ambiguous: number;
  /** When we saw that agents had sent all, by our clock. */
  readonly sentByMs: number;
}

export interface ProbeOrder {
  /** Idempotency key: the same key is the same measurement. */
  readonly key: string;
  readonly agents: readonly string[];
  readonly lines: readonly string[];
  /** Lines that leave together in each interval; null = all as fast as agents send. */
  readonly pace: { readonly everyMs: number; readonly lines: number } | null;
}

export interface DataPlane {
  /** Resolves to the replies when agents have ended and replies have had time to arrive. Rejects with Problem. */
  probe(order: ProbeOrder, signal: AbortSignal): Promise<Probed>;
  /** The agent's clock; null = never compared. */
  clockOf(agent: string): Promise<ClockNow | null>;
}
