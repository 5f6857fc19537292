/** The parts that `vantage doctor` can check, and where `install-service` puts each part's configuration. */
import type { Finding } from "../../../lib/command/checkup/finding.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";

export type PartName = "client" | "exchange" | "agent" | "gateway";

export interface Part {
  readonly name: PartName;
  readonly purpose: string;
  /** Names of files in the folder of configurations. */
  readonly files: readonly string[];
  /** Variables that configure this part alone, as in a container; absent = it shares them with others. */
  readonly variables?: RegExp;
  /** Loaded when it is needed: an agent's needs native libraries. */
  readonly examine: (file: string, environment: Environment) => Promise<Finding[]>;
}

export const parts: readonly Part[] = [
  {
    name: "client",
    purpose: "check a user's side of the exchange",
    files: ["bootstrap.yaml"],
    variables: /^VANTAGE_BOOTSTRAP_\w+__/,
    examine: async (file, environment) =>
      (await import("../../peering/bootstrap/checkup/checkup.ts")).examineClient(file, environment),
  },
  {
    name: "exchange",
    purpose: "check an exchange server",
    files: ["exchange.yaml"],
    variables: /^VANTAGE_EXCHANGE_\w+__/,
    examine: async (file, environment) => (await import("./exchange.ts")).examineExchange(file, environment),
  },
  {
    name: "agent",
    purpose: "check a vantage point",
    files: ["agent.yaml"],
    variables: /^VANTAGE_AGENT__/,
    examine: async (file, environment) =>
      (await import("../../probing/agent/checkup.ts")).examineAgent(file, environment),
  },
  {
    name: "gateway",
    purpose: "check a probing or a peering gateway",
    files: ["probing-gateway.yaml", "peering-gateway.yaml"],
    // GATEWAY__URL and its keys are an agent's.
    variables: /^VANTAGE_(DATABASE__|GATEWAY__(ADDRESS|STATE_DIR|BASE_URL)$)/,
    examine: async (file, environment) => (await import("./gateway.ts")).examineGateway(file, environment),
  },
];
