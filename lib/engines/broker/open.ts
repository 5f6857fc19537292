/** Opens a broker by its address; the engine's code is loaded only then. */
import { type Broker, BrokerError } from "./broker.ts";
import type { BrokerOptions } from "./broker-options.ts";

const help = "it takes embedded:DIR or kafka:HOST:PORT,…";

/**
 * The broker at an address: `embedded:DIR` (a folder, made when missing) or `kafka:HOST:PORT,HOST:PORT,…`.
 *
 * Checks only the address: an unreachable broker shows at the first call, so a daemon may start before its
 * broker. Throws BrokerError `badAddress`, or `badLogin` when a named file cannot be used.
 */
export async function openBroker(address: string, options: BrokerOptions = {}): Promise<Broker> {
  const [scheme, rest] = splitOnce(address);
  if (scheme === "embedded" && rest !== "") {
    const { EmbeddedBroker } = await import("./embedded/embedded-broker.ts");
    return new EmbeddedBroker(rest, options);
  }
  if (scheme === "kafka") {
    const servers = rest.split(",").map((server) => server.trim());
    const bad = servers.find((server) => !isServer(server));
    if (bad !== undefined) {
      throw new BrokerError("badAddress", `Cannot use broker "${address}": "${bad}" is not HOST:PORT`);
    }
    const { KafkaBroker } = await import("./kafka/kafka-broker.ts");
    return new KafkaBroker(servers, options);
  }
  throw new BrokerError("badAddress", `Cannot use broker "${address}": ${help}`);
}

function splitOnce(address: string): [scheme: string, rest: string] {
  const at = address.indexOf(":");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/** A name or an IPv4 address, or an IPv6 address in brackets; ports 1 to 65535. */
function isServer(server: string): boolean {
  const found = /^(?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(server);
  const port = Number(found?.[1] ?? 0);
  return port >= 1 && port <= 65535;
}
