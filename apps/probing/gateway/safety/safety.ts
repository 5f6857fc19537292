/** What keeps others safe from our probes, as other rooms see it; gateway-safety.ts does it. */
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { DestinationLoad } from "./destination-load.ts";
import type { Destinations } from "./destinations.ts";

export interface Safety {
  /** Asked before a submission is read: null = go on. */
  admit(userHash: string): Promise<AdmissionRefusal | null>;
  /** For the probes of one submission, which are shown to it in order. */
  review(userHash: string): DestinationReview;
  /** What agents must enforce too. At most a second old. */
  destinations(): Promise<Destinations>;
  /** The next who asks for them gets what is in the database then. */
  destinationsChanged(): void;
  /** Reads the list files again, as SIGHUP asks. Bad ones are logged and counted; the last good ones stay. */
  reload(): Promise<void>;
}

export interface AdmissionRefusal {
  readonly status: 403 | 429 | 503;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export interface DestinationReview {
  /** Why a probe to this destination (16 bytes) is refused; null = it may be sent. Called for every probe. */
  check(destination: Address, isTcp: boolean): string | null;
  /** All that were shown to it. */
  readonly load: DestinationLoad;
  /** Asked when all are read, and `targets` says how many agents send each: why not the whole; null = go on. */
  finish(targets: number): Promise<string | null>;
  /** To be called when the submission is refused after `finish`: its probes do not count. */
  undo(): void;
}
