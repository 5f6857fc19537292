/** The stack's message at start: addresses of its parts, and what to type next. */
import type { ExchangeFacts } from "./exchange/exchange-facts.ts";
import { enrolmentKeyPath, gatewayDirectory, peeringDirectory } from "./gateway-folder.ts";
import type { Listen } from "./listen.ts";
import type { GatewayUrls, Stack } from "./stack.ts";
import { elsewhereLines } from "./welcome-elsewhere.ts";

export function welcome(
  {
    directory,
    addresses,
    gatewayUrls: urls,
    exchange,
  }: Pick<Stack, "directory" | "addresses" | "gatewayUrls" | "exchange">,
  observerUrl: string,
  gatewayListen: Listen,
): string {
  return [
    "The stack is running; Ctrl-C stops it.",
    "",
    `  broker    ${addresses.broker}`,
    `  store     ${addresses.store}`,
    ...(urls === null ? [] : gatewayLines(urls, directory)),
    ...(exchange === null ? [] : exchangeLines(exchange)),
    `  health    ${observerUrl}health`,
    `  metrics   ${observerUrl}metrics`,
    "",
    "Next, in another terminal, as root:",
    "",
    // From the first column on: a shell takes the end of the text nowhere else.
    "cat >agent.yaml <<END",
    "agent: {id: west, state_dir: ./west}",
    "prober: [{name: main, instance_id: 1, probing_rate: 1000}]",
    `kafka: {brokers: ${JSON.stringify(addresses.broker)}}`,
    ...(urls === null ? [] : agentLines(urls, directory)),
    "END",
    "vantage agent --config agent.yaml",
    "",
    "Then, in a third:",
    "",
    ...(urls === null ? clientCommands(addresses.store) : userCommands(urls)),
    ...(exchange === null ? [] : exchangeCommands(exchange, directory)),
    ...(urls === null ? [] : elsewhereLines(gatewayListen, urls)),
  ].join("\n");
}

function gatewayLines({ gateway, peering, issuer }: GatewayUrls, directory: string): string[] {
  const about = (url: string, folder: string) => `${url}  (API: ${url}docs; admin key: ${folder}/admin.key)`;
  return [
    `  console   ${gateway}console`,
    `  gateway   ${about(gateway, gatewayDirectory(directory))}`,
    `  peering   ${about(peering, peeringDirectory(directory))}`,
    `  issuer    ${issuer}  (for development: type any name, and you are that user)`,
  ];
}

function exchangeLines({ asn, address, outside }: ExchangeFacts): string[] {
  const received = outside?.upstreams.map((one) => `AS${one.asn} (${one.name})`).join(", ");
  return [
    `  exchange  AS${asn} at ${address}, in the tunnel`,
    ...(outside === null
      ? []
      : [
          `  upstreams ${received}`,
          `  collector ${outside.collector}/  (what both upstreams pass on: vantage routes lookup PREFIX)`,
        ]),
  ];
}

function agentLines({ gateway }: GatewayUrls, directory: string): string[] {
  return [
    "gateway:",
    `  url: ${withoutSlash(gateway)}`,
    `  enrolment_key: "$(cat ${quoted(enrolmentKeyPath(directory))})"`,
  ];
}

function userCommands({ gateway }: GatewayUrls): string[] {
  return [
    `  vantage login --gateway=${withoutSlash(gateway)}`,
    "  vantage agents",
    "  vantage trace --from west example.org                   paths from there",
    "  vantage probes ADDRESS | vantage send -a west           any other probes",
    "  vantage peering prefix request 24                       a /48 of your own for a day",
  ];
}

function exchangeCommands({ environment }: ExchangeFacts, directory: string): string[] {
  return [
    `  vantage stack join --dir ${quoted(directory)}`,
    `  set -a; . ${quoted(environment)}; set +a`,
    "  … then follow docs/start/first-announcement.md",
  ];
}

function clientCommands(store: string): string[] {
  return ["  vantage client --config client.yaml -p probes.csv AGENT", `  vantage replies --store ${store}`];
}

/** For a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
