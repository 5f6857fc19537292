/** The probing gateway's checks for `vantage doctor`: besides those of both gateways, its broker and column store. */
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import type { Look } from "../../../lib/command/checkup/examine.ts";
import { type Finding, ok, warn } from "../../../lib/command/checkup/finding.ts";
import type { ConfiguredGateway } from "../../../lib/command/checkup/gateway.ts";
import { diskSpace } from "../../../lib/command/checkup/host/disk.ts";
import { brokerMsMax } from "../../../lib/command/checkup/limits.ts";
import { BrokerError } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { type ProbingGatewayConfig, readGatewayConfig } from "./config.ts";

/** Throws ConfigError. */
export function probingGateway(source: YamlSource, environment: Environment): ConfiguredGateway {
  const config = readGatewayConfig(source, environment);
  return { kind: "probing", config, looks: pipeline(config) };
}

function pipeline({ broker, storeAddress }: ProbingGatewayConfig): Look[] {
  const log = embeddedFolder("broker", broker.address);
  return [
    { what: "broker", see: () => brokerFinding(broker), otherwise: "does it run? see: kafka.brokers" },
    ...(log === null ? [] : [{ what: "log's folder", see: () => diskSpace("log's folder", log) }]),
    storeAddress === null
      ? {
          what: "column store",
          see: () => warn("column store", "none is configured: no results are served", "give store.address"),
        }
      : {
          what: "column store",
          see: () => storeFinding(storeAddress),
          otherwise: "does it run? see: store.address",
        },
  ];
}

/** The first measurement creates topics, so a missing one is not a fault. */
async function brokerFinding({ address, login, topic }: ProbingGatewayConfig["broker"]): Promise<Finding> {
  await using broker = await openBroker(address, { login, giveUpMs: brokerMsMax });
  try {
    const { length } = await broker.positions("vantage-doctor", topic);
    return ok("broker", `${address}: topic ${topic} has ${length} partitions`);
  } catch (error) {
    if (error instanceof BrokerError && error.message.includes("has not been created")) {
      return ok("broker", `${address} answers; topic ${topic} is made with the first measurement`);
    }
    throw error;
  }
}

async function storeFinding(address: string): Promise<Finding> {
  await using store = await openStore(address);
  return ok("column store", `${store.address} answers`);
}
