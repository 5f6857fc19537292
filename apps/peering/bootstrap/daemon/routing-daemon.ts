/** The user's routing daemon: applies a plan, and reports the state of sessions. */
import type { SessionPlan } from "./session-plan.ts";

export interface RoutingDaemon {
  /** Whether a configuration exists. */
  isConfigured(): Promise<boolean>;
  /** True when a change was needed. Throws with the next step; the previous configuration then stays active. */
  put(plan: SessionPlan): Promise<boolean>;
  /** By the neighbour's address. Throws when the daemon is unreachable. */
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
