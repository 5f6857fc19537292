/** What every room of the gateway works with. A room that needs more says so itself; gateway.ts gives it to them. */
import type { TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { PeeringGatewayConfig } from "./config.ts";
import type { GatewayMetrics } from "./metrics.ts";

export interface Services {
  readonly config: PeeringGatewayConfig;
  readonly database: Database;
  readonly tokens: TokenVerifier;
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}
