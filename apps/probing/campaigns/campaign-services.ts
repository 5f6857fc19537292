/** The services that campaigns need from their gateway. */
import type { RunCell } from "../../../lib/answers/results/run-cells.ts";
import type { TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { HttpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { AsnOf } from "../../../lib/measuring/campaign/notice/ases.ts";
import type { ProbeShape } from "../../../lib/net/packet/probe.ts";
import type { RoundMeasure } from "./discovery/round-measure.ts";
import type { ExperimentRunner, ExperimentServices } from "./experiments/runner.ts";
import type { Journal, MadeFor } from "./journal.ts";
import type { ProbeText } from "./probe-text.ts";
import type { RouteOrder, StoredRoutes } from "./stored-routes.ts";

export interface StepOrder {
  readonly userHash: string;
  /** Idempotency key of all attempts of this step; users cannot send such a key. */
  readonly key: string;
  /** As in the query of a submission: `west,3@tag:eu`. */
  readonly agents: string;
  /** Probe lines. */
  readonly probes: string;
  /** What they look like; absent = plain. */
  readonly shape?: ProbeShape;
  readonly step: MadeFor;
}

export interface CampaignServices {
  readonly journal: Journal;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly measure: StepMeasure;
  readonly experiments: Pick<ExperimentRunner, "take">;
}

/** Services for evaluating ended runs and delivering alerts, at gateways only. */
export interface NoticeServices {
  readonly database: Database;
  readonly log: Logger;
  readonly results: RunResults;
  readonly delivery: DeliveryConfig;
}

/** Services for the measurements and discoveries that alerts start. */
export type FollowUpServices = NoticeServices & Pick<CampaignRouteServices, "measure" | "config">;

/** Results of runs from the gateway's column store and sets of context. */
export interface RunResults {
  /** Without a store no alerts can be raised. */
  readonly hasStore: boolean;
  /** Milliseconds after the end of a measurement until all of its replies are in the store. */
  readonly settleMs: number;
  /** By agent and destination, at most so many. Rejects with Failure `store`. */
  cells(measurementIds: readonly string[], cellsMax: number): Promise<readonly RunCell[]>;
  /** What collectors have stored of routes towards these addresses. Rejects with Failure `store`. */
  routes(order: RouteOrder): Promise<StoredRoutes>;
  /** As of the time's day; null without a set of context. */
  asnOf(at: Date): AsnOf;
}

/** Permitted destinations of alerts, and the mail server. */
export interface DeliveryConfig {
  /** Webhook hosts that may have private addresses, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Domains that e-mails may go to. */
  readonly emailDomains: readonly string[];
  /** Null = no e-mails. */
  readonly smtp: SmtpConfig | null;
}

export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly encryption: "starttls" | "tls" | "none";
  readonly from: string;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Additional services of their routes. */
export interface CampaignRouteServices {
  readonly database: Database;
  readonly measure: Measure;
  readonly results: RunResults;
  readonly delivery: DeliveryConfig;
  readonly tokens: TokenVerifier;
  readonly metrics: { readonly http: HttpMetrics };
  readonly config: {
    readonly limits: { readonly campaignsPerUser: number; readonly storedBytesPerUser: number };
    /** Null = no store, so nothing can be computed from results. */
    readonly storeAddress: string | null;
  };
  readonly campaigns: { wake(): void };
  readonly experiments: ExperimentServices;
}

interface AgentsNow {
  /** Each as in a query; may be empty. */
  readonly able: readonly string[];
  /** Why others cannot: `west: the agent is offline`. */
  readonly reasons: readonly string[];
}

export interface StepMeasure {
  /** Resolves to the measurement's id, whether it was created now or before. Throws Problem. */
  submit(order: StepOrder): Promise<string>;
  /** Which agents could take part now. Throws Problem. */
  agents(
    order: Pick<StepOrder, "agents" | "userHash" | "shape">,
    probes: Pick<ProbeText, "probes" | "hasTcp">,
  ): Promise<AgentsNow>;
  /** Stops its agents from sending the rest. */
  cancel(userHash: string, measurementId: string): Promise<void>;
  /** Whether all replies to these measurements have arrived and can be read. */
  areRepliesIn(measurementIds: readonly string[]): Promise<boolean>;
  /** Addresses that replied in these measurements, sorted by address, at most so many. */
  responders(measurementIds: readonly string[], atMost: number): Promise<readonly string[]>;
  /** Services of discoveries; null = no column store, so no rounds. */
  readonly rounds: RoundMeasure | null;
}

export interface Measure extends StepMeasure {
  /** The user's daily quota of probes x agents. Throws Problem for a user who may not measure. */
  quota(userHash: string): Promise<number>;
}
