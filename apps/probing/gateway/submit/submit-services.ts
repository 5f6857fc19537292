/** What submissions need of the gateway that takes them. */
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
import type { SpoolFolder } from "./spool-folder.ts";

export interface SubmitServices extends Services {
  /** The gateway's name among those of the database. */
  readonly gatewayId: string;
  readonly users: UserDirectory;
  readonly quotas: Quotas;
  readonly agents: AgentDirectory;
  readonly reachability: Pick<Reachability, "forMs" | "missed">;
  readonly safety: Pick<Safety, "admit" | "review">;
  /** Who measures at a destination. */
  readonly crowd: DestinationCrowd;
  readonly shares: DestinationShares;
  readonly spoolFolder: SpoolFolder;
  readonly acceptances: Acceptances;
  /** Submissions of which only the database knows whether they were accepted. */
  readonly pendingAccepts: PendingAccepts;
  /** Publishes what was accepted. */
  readonly dispatcher: Dispatcher;
}
