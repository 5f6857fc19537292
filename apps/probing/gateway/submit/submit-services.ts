/** The services that submissions need. */
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { Reachability } from "../agents/reachability.ts";
import type { DestinationCrowd } from "../safety/destination-crowd.ts";
import type { DestinationShares } from "../safety/destination-share.ts";
import type { Safety } from "../safety/safety.ts";
import type { Services } from "../services.ts";
import type { Quotas } from "../users/quota.ts";
import type { UserDirectory } from "../users/user-directory.ts";
import type { Acceptances } from "./acceptance.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { PendingAccepts } from "./pending-accepts.ts";
import type { Refusals } from "./refusals.ts";
import type { SpoolFolder } from "./spool-folder.ts";

export interface SubmitServices extends Services {
  /** The gateway's name in the database. */
  readonly gatewayId: string;
  readonly users: UserDirectory;
  readonly refusals: Pick<Refusals, "middleware">;
  readonly quotas: Quotas;
  readonly agents: AgentDirectory;
  readonly reachability: Pick<Reachability, "forMs" | "missed">;
  readonly safety: Pick<Safety, "admit" | "review">;
  /** The agents that measure at each destination. */
  readonly crowd: DestinationCrowd;
  readonly shares: DestinationShares;
  readonly spoolFolder: SpoolFolder;
  readonly acceptances: Acceptances;
  /** Submissions whose acceptance is unknown until the database responds. */
  readonly pendingAccepts: PendingAccepts;
  /** Publishes accepted submissions. */
  readonly dispatcher: Dispatcher;
}
