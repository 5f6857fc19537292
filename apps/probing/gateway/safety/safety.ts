/** The interface of the limits that protect third parties from our probes; implemented in gateway-safety.ts. */
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { DestinationLoad } from "./destination-load.ts";
import type { Destinations } from "./destinations.ts";

export interface Safety {
  /** Called before a submission is read: null = continue. */
  admit(userHash: string): Promise<AdmissionRefusal | null>;
  /** Reviews the probes of one submission, in order. */
  review(userHash: string): DestinationReview;
  /** What agents must enforce too. At most a second old. */
  destinations(): Promise<Destinations>;
  /** Makes the next call query the database. */
  destinationsChanged(): void;
  /** Reloads the list files (SIGHUP). Bad ones are logged and counted; the last good ones stay active. */
  reload(): Promise<void>;
}

export interface AdmissionRefusal {
  readonly status: 403 | 429 | 503;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export interface DestinationReview {
  /**
   * Why a probe to this destination (16 bytes) is refused; null = it may be sent.
   * Called for every probe; `isCostly`: TCP or DNS.
   */
  check(destination: Address, isCostly: boolean): string | null;
  /** The load of all reviewed probes. */
  readonly load: DestinationLoad;
  /** Called after the last probe, with the number of agents that send each: the refusal of the whole, or null. */
  finish(targets: number): Promise<string | null>;
  /** Call it when the submission is refused after `finish`: its probes do not count. */
  undo(): void;
}
