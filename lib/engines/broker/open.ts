/** Opens a broker by its address; the engine's code is loaded only then. */
import { withoutPassword } from "../../base/failure/without-password.ts";
import { type Broker, BrokerError } from "./broker.ts";
import { readBrokerAddress } from "./broker-address.ts";
import type { BrokerOptions } from "./broker-options.ts";

/**
 * The broker at an address: `embedded:DIR` (a folder, made when missing) or `kafka:HOST:PORT,HOST:PORT,…`.
 *
 * Checks only the address: an unreachable broker shows at the first call, so a daemon may start before its
 * broker. Throws BrokerError `badAddress`, or `badLogin` when a named file cannot be used.
 */
export async function openBroker(address: string, options: BrokerOptions = {}): Promise<Broker> {
  const place = readBrokerAddress(address);
  switch (place.kind) {
    case "embedded": {
      const { EmbeddedBroker } = await import("./embedded/embedded-broker.ts");
      return new EmbeddedBroker(place.directory, options);
    }
    case "kafka": {
      const { KafkaBroker } = await import("./kafka/kafka-broker.ts");
      return new KafkaBroker(place.servers, options);
    }
    case "bad":
      throw new BrokerError("badAddress", `Cannot use broker "${withoutPassword(address)}": ${place.reason}`);
  }
}
