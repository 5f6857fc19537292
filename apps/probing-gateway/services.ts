/** What the routes of the gateway work with: each area takes this, so that tests can give any part of it. */
import type { TokenVerifier } from "../../lib/auth/token-verifier.ts";
import type { Broker } from "../../lib/broker/broker.ts";
import type { Address } from "../../lib/ip/address.ts";
import type { Logger } from "../../lib/observe/log.ts";
import type { AgentInstance } from "../../lib/probing/agent-config.ts";
import type { ColumnStore } from "../../lib/store/clickhouse/open.ts";
import type { Database } from "../../lib/store/postgres/open.ts";
import type { GatewayConfig } from "./config.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { Dispatcher } from "./submit/dispatcher.ts";

export interface Services {
  readonly config: GatewayConfig;
  /** Its name among the gateways of the database. */
  readonly gatewayId: string;
  /** The key of the admin API in plain; compare hashes (lib/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly database: Database;
  readonly broker: Broker;
  /** Connected when first asked for, and again after a failure. Rejects with StoreError. */
  readonly store: () => Promise<ColumnStore>;
  readonly tokens: TokenVerifier;
  readonly agents: AgentDirectory;
  readonly safety: Safety;
  /** Publishes what was accepted. */
  readonly dispatcher: Dispatcher;
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}

/** What submissions ask about agents. */
export interface AgentDirectory {
  /** Of these ids, the agents that exist. */
  eligible(agentIds: readonly string[]): Promise<ReadonlyMap<string, EligibleAgent>>;
}

export interface EligibleAgent {
  readonly id: string;
  /** Null = it has posted none. */
  readonly config: readonly AgentInstance[] | null;
  /** It says that it is healthy, and has said so lately. */
  readonly healthy: boolean;
  /** It has reported lately. */
  readonly online: boolean;
  readonly paused: boolean;
}

/** What keeps others safe from our probes. */
export interface Safety {
  /** Asked before a submission is read: null = go on. */
  admit(userHash: string): Promise<AdmissionRefusal | null>;
  /** For the probes of one submission, which are shown to it in order. */
  review(): DestinationReview;
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
}
