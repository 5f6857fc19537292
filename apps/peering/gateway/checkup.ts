/** A peering gateway for `vantage doctor`: it has what both gateways have. */
import type { ConfiguredGateway } from "../../../lib/command/checkup/gateway.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { readGatewayConfig } from "./config.ts";

/** Throws ConfigError. */
export function peeringGateway(source: YamlSource, environment: Environment): ConfiguredGateway {
  return { kind: "peering", config: readGatewayConfig(source, environment), looks: [] };
}
