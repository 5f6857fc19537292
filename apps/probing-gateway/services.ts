/** What the routes of the gateway work with: each area takes this, so that tests can give any part of it. */
import type { TokenVerifier } from "../../lib/auth/token-verifier.ts";
import type { Broker } from "../../lib/broker/broker.ts";
import type { Address } from "../../lib/ip/address.ts";
import type { Logger } from "../../lib/observe/log.ts";
import type { Database } from "../../lib/store/postgres/open.ts";
import type { AgentDirectory } from "./agents/agent-directory.ts";
import type { GatewayConfig } from "./config.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { Destinations } from "./safety/destinations.ts";
import type { StoreLink } from "./store-link.ts";
import type { Dispatcher } from "./submit/dispatcher.ts";
import type { Doubts } from "./submit/doubts.ts";
import type { SpoolFolder } from "./submit/spool-folder.ts";
import type { UserDirectory } from "./users/user-directory.ts";

export interface Services {
  readonly config: GatewayConfig;
  /** Its name among the gateways of the database. */
  readonly gatewayId: string;
  /** The key of the admin API in plain; compare hashes (lib/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly database: Database;
  readonly broker: Broker;
  readonly store: Pick<StoreLink, "ask">;
  readonly tokens: TokenVerifier;
  readonly agents: AgentDirectory;
  readonly safety: Safety;
  readonly users: UserDirectory;
  readonly spoolFolder: SpoolFolder;
  /** Submissions of which only the database knows whether they were accepted. */
  readonly doubts: Doubts;
  /** Publishes what was accepted. */
  readonly dispatcher: Dispatcher;
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}

/** What keeps others safe from our probes. */
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
  check(destination: Address): string | null;
  /** Asked when all are read, and `targets` says how many agents send each: why not the whole; null = go on. */
  finish(targets: number): Promise<string | null>;
  /** To be called when the submission is refused after `finish`: its probes do not count. */
  undo(): void;
}
