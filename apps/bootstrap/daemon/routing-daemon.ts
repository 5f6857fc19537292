/** The user's routing daemon, whichever it is: puts a plan into force, and tells how the sessions do. */
import type { SessionPlan } from "./session-plan.ts";

export interface RoutingDaemon {
  /** Whether a configuration is there already. */
  isConfigured(): Promise<boolean>;
  /** True when something had to be done. Throws with what to do; what was in force before stays then. */
  put(plan: SessionPlan): Promise<boolean>;
  /** By the neighbour's address. Throws when the daemon is away. */
  sessions(): Promise<Map<string, OwnSession>>;
}

/** A session to an exchange server, as the user's own daemon sees it. */
export interface OwnSession {
  readonly isUp: boolean;
  /** `Established`, `Active`, `Connect`, … */
  readonly state: string;
  /** How long it has been in that state; null where the daemon does not say. */
  readonly forSec: number | null;
  readonly lastError: string | null;
  readonly receivedRoutes: number;
  readonly acceptedRoutes: number;
}
