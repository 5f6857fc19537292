/** What campaigns need of who runs them: a gateway, or `vantage campaign run`. */
import type { RunCell } from "../../../lib/answers/results/run-cells.ts";
import type { TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { HttpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { AsnOf } from "../../../lib/measuring/campaign/notice/ases.ts";
import type { RoundMeasure } from "./discovery/round-measure.ts";
import type { Journal, MadeFor } from "./journal.ts";

export interface StepOrder {
  /** Empty = of nobody: there is no gateway. */
  readonly userHash: string;
  /** What every attempt of this step is known by; no user can give such a key. */
  readonly key: string;
  /** As in the query of a submission: `west,3@tag:eu`. */
  readonly agents: string;
  /** Probe lines. */
  readonly probes: string;
  readonly step: MadeFor;
}

export interface CampaignServices {
  readonly journal: Journal;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly measure: StepMeasure;
}

/** What looks at ended runs, and delivers alerts, needs: only gateways do. */
export interface NoticeServices {
  readonly database: Database;
  readonly log: Logger;
  readonly results: RunResults;
  readonly delivery: DeliveryConfig;
}

/** What the gateway's column store and its sets of context say of runs. */
export interface RunResults {
  /** Without a store nothing can be noticed. */
  readonly hasStore: boolean;
  /** Milliseconds after the end of a measurement until all of its answers are in the store. */
  readonly settleMs: number;
  /** By agent and destination, at most so many. Rejects with Failure `store`. */
  cells(measurementIds: readonly string[], cellsMax: number): Promise<readonly RunCell[]>;
  /** As things were on the day of a time; without a set, nothing is known. */
  asnOf(at: Date): AsnOf;
}

/** Where alerts may go, and how. */
export interface DeliveryConfig {
  /** Hosts of webhooks that may have private addresses, in small letters. */
  readonly allowedHosts: readonly string[];
  /** Domains that e-mails may go to. */
  readonly emailDomains: readonly string[];
  /** Null = no e-mail is sent. */
  readonly smtp: SmtpConfig | null;
}

export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly encryption: "starttls" | "tls" | "none";
  readonly from: string;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** What their routes need besides. */
export interface CampaignRouteServices {
  readonly database: Database;
  readonly measure: Measure;
  readonly results: RunResults;
  readonly delivery: DeliveryConfig;
  readonly tokens: TokenVerifier;
  readonly metrics: { readonly http: HttpMetrics };
  readonly config: {
    readonly limits: { readonly campaignsPerUser: number; readonly storedBytesPerUser: number };
    /** Null = there is none, and nothing can be computed from results. */
    readonly storeAddress: string | null;
  };
  readonly campaigns: { wake(): void };
}

export interface StepMeasure {
  /** Resolves to the measurement's id, whether it was made now or before. Throws Problem. */
  submit(order: StepOrder): Promise<string>;
  /** Agents that would take part now, each as in a query; none, when nobody can. Throws Problem. */
  agents(order: Pick<StepOrder, "agents" | "probes" | "userHash">): Promise<readonly string[]>;
  /** Agents send no more of it. */
  cancel(userHash: string, measurementId: string): Promise<void>;
  /** Whether all answers to these measurements have come, and can be read. */
  areRepliesIn(measurementIds: readonly string[]): Promise<boolean>;
  /** Addresses that answered these measurements, in their own order, at most so many. */
  responders(measurementIds: readonly string[], atMost: number): Promise<readonly string[]>;
  /** What discoveries need; null = there is no gateway, and no rounds. */
  readonly rounds: RoundMeasure | null;
}

export interface Measure extends StepMeasure {
  /** Probes x agents that the user may have sent in a day. Throws Problem for one who may not measure. */
  quota(userHash: string): Promise<number>;
}
