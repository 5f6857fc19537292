/**
 * What every room of the gateway works with. A room that needs more says so itself, and gateway.ts gives all of them
 * what they need; so tests can give any part of it.
 */
import type { TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { ProbingGatewayConfig } from "./config.ts";
import type { GatewayMetrics } from "./metrics.ts";

export interface Services {
  readonly config: ProbingGatewayConfig;
  readonly database: Database;
  readonly tokens: TokenVerifier;
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}
