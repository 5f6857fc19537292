/** What campaigns need of the gateway that runs them. */
import type { TokenVerifier } from "../../lib/auth/token-verifier.ts";
import type { HttpMetrics } from "../../lib/observe/http-metrics.ts";
import type { Logger } from "../../lib/observe/log.ts";
import type { Database } from "../../lib/store/postgres/open.ts";

interface StepOrder {
  readonly userHash: string;
  /** What every attempt of this step is known by; no user can give such a key. */
  readonly key: string;
  /** As in the query of a submission: `west,3@tag:eu`. */
  readonly agents: string;
  /** Probe lines. */
  readonly probes: string;
}

export interface CampaignServices {
  readonly database: Database;
  readonly log: Logger;
  readonly measure: Measure;
}

/** What their routes need besides. */
export interface CampaignRouteServices extends CampaignServices {
  readonly tokens: TokenVerifier;
  readonly metrics: { readonly http: HttpMetrics };
  readonly config: { readonly limits: { readonly campaignsPerUser: number } };
  readonly campaigns: { wake(): void };
}

export interface Measure {
  /** Resolves to the measurement's id, whether it was made now or before. Throws Problem. */
  submit(order: StepOrder): Promise<string>;
  /** Agents that would take part now, each as in a query; none, when nobody can. Throws Problem. */
  agents(order: Pick<StepOrder, "agents" | "probes" | "userHash">): Promise<readonly string[]>;
  /** Probes x agents that the user may have sent in a day. Throws Problem for one who may not measure. */
  quota(userHash: string): Promise<number>;
  /** Agents send no more of it. */
  cancel(userHash: string, measurementId: string): Promise<void>;
}
