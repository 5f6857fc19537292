/** Services of the admin API. */
import type { Broker } from "../../../../lib/engines/broker/broker.ts";
import type { AgentDirectory } from "../agents/agent-directory.ts";
import type { Safety } from "../safety/safety.ts";
import type { Services } from "../services.ts";
import type { StoreLink } from "../store-link.ts";
import type { UserDirectory } from "../users/user-directory.ts";

export interface AdminServices extends Services {
  /** In plain; compare hashes (lib/engines/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly agents: AgentDirectory;
  readonly safety: Pick<Safety, "destinationsChanged">;
  readonly store: Pick<StoreLink, "ask">;
  readonly broker: Pick<Broker, "positions">;
  readonly users: UserDirectory;
  readonly campaigns: { wake(): void };
}
