/** Addresses of brokers, read from their text alone: a mistake shows before anything is opened. */
import { embeddedFolder } from "../../base/api/embedded-folder.ts";
import { withoutPassword } from "../../base/failure/without-password.ts";

type BrokerAddress =
  | { readonly kind: "embedded"; readonly directory: string }
  /** `HOST:PORT` each, IPv6 in brackets. */
  | { readonly kind: "kafka"; readonly servers: readonly string[] }
  /** `reason` continues a sentence that names the address; it has no password. */
  | { readonly kind: "bad"; readonly reason: string };

const kafkaScheme = "kafka:";

/** `embedded:DIR` or `kafka:HOST:PORT,…`. */
export function readBrokerAddress(text: string): BrokerAddress {
  const directory = embeddedFolder("broker", text) ?? "";
  if (directory !== "") {
    return { kind: "embedded", directory };
  }
  if (!text.startsWith(kafkaScheme)) {
    return { kind: "bad", reason: "it takes embedded:DIR or kafka:HOST:PORT,…" };
  }
  const servers = text
    .slice(kafkaScheme.length)
    .split(",")
    .map((server) => server.trim());
  const bad = servers.find((server) => !isServer(server));
  return bad === undefined
    ? { kind: "kafka", servers }
    : { kind: "bad", reason: `"${withoutPassword(bad)}" is not HOST:PORT` };
}

/** What a configuration has, where the scheme of Kafka may be left out, as such an address. */
export function brokerAddressOf(brokers: string): string {
  // A broker may be called `kafka`: `kafka:9092` is its host and port.
  const isAddress = /^(embedded:|kafka:[^,]+:\d)/.test(brokers);
  return isAddress ? brokers : `${kafkaScheme}${brokers.replaceAll(/\s/g, "")}`;
}

/** A name or an IPv4 address, or an IPv6 address in brackets; ports 1 to 65535. */
function isServer(server: string): boolean {
  const found = /^(?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(server);
  const port = Number(found?.[1] ?? 0);
  return port >= 1 && port <= 65535;
}
