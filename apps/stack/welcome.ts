/** The stack's message at start: addresses of its parts, and the next steps. */
import { enrolmentKeyPath, gatewayDirectory } from "./gateway-folder.ts";
import type { GatewayUrls, Stack } from "./stack.ts";

export function welcome(
  { addresses, gatewayUrls }: Pick<Stack, "addresses" | "gatewayUrls">,
  directory: string,
  observerUrl: string,
): string {
  return [
    "The stack is running; Ctrl-C stops it.",
    "",
    `  broker    ${addresses.broker}`,
    `  store     ${addresses.store}`,
    ...(gatewayUrls === null ? [] : gatewayLines(gatewayUrls, directory)),
    `  health    ${observerUrl}health`,
    `  metrics   ${observerUrl}metrics`,
    "",
    "In the configuration of agents, and of the client:",
    "",
    "  kafka:",
    `    brokers: ${JSON.stringify(addresses.broker)}`,
    ...(gatewayUrls === null ? [] : agentLines(gatewayUrls, directory)),
    "",
    "Then:",
    "",
    "  vantage agent --config agent.yaml",
    ...(gatewayUrls === null ? clientCommands(addresses.store) : userCommands(gatewayUrls)),
  ].join("\n");
}

function gatewayLines({ gateway, issuer }: GatewayUrls, directory: string): string[] {
  return [
    `  gateway   ${gateway}  (API: ${gateway}docs; admin key: ${gatewayDirectory(directory)}/admin.key)`,
    `  issuer    ${issuer}  (for development: type any name, and you are that user)`,
  ];
}

function agentLines({ gateway }: GatewayUrls, directory: string): string[] {
  return [
    "  gateway:                   # agents only",
    `    url: ${gateway.replace(/\/$/, "")}`,
    `    enrolment_key: …         # what ${enrolmentKeyPath(directory)} holds`,
  ];
}

function userCommands({ gateway }: GatewayUrls): string[] {
  return [
    `  vantage login --gateway=${gateway.replace(/\/$/, "")}`,
    "  vantage agents",
    "  vantage probes ADDRESS | vantage send -a AGENT",
  ];
}

function clientCommands(store: string): string[] {
  return ["  vantage client --config client.yaml -p probes.csv AGENT", `  vantage replies --store ${store}`];
}
