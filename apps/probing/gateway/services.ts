/**
 * The services shared by all rooms of the gateway. A room that needs more declares it itself, and gateway.ts provides
 * everything; so tests can provide any part of it.
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
