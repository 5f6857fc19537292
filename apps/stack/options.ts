/** What the commands of `vantage stack` take. */

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { embeddedFolder } from "../../lib/base/api/embedded-folder.ts";
import { wrongUsage } from "../../lib/command/command/command-error.ts";
import { kindOf, number, text, textOrFile, unfit, url } from "../../lib/command/command/kinds.ts";
import type { Kind } from "../../lib/command/command/table.ts";
import { readBrokerAddress } from "../../lib/engines/broker/broker-address.ts";
import { isTopicName, topicNameWords } from "../../lib/engines/broker/topic-name.ts";
import { defaultPorts } from "../../lib/engines/config/default-ports.ts";
import { historyDaysDefault, ttlDaysDefault, ttlDaysMax } from "../../lib/engines/store/clickhouse/limits.ts";
import { repliesTopic } from "../../lib/net/wire/target-header.ts";
import type { Listen } from "./listen.ts";

/** `127.0.0.1:8090` or `[::1]:8090`; port 0 lets the system choose. */
const listen: Kind<Listen> = kindOf("ADDRESS:PORT", "any", (given) => {
  const [, hostname, portText] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(given) ?? [];
  const port = Number(portText);
  return hostname === undefined || port > 65535
    ? unfit("is not ADDRESS:PORT, as 127.0.0.1:8090")
    : { hostname: hostname.replace(/^\[|\]$/g, ""), port };
});

export const directoryKind = kindOf("DIR", "folder", (given) =>
  given === "" ? unfit("is empty") : resolve(given),
);
const brokerMeaning = "the broker: embedded:DIR or kafka:HOST:PORT,...";
const storeMeaning = "the column store: chdb:DIR or http(s)://[USER[:PASSWORD]@]HOST:PORT";

export const directoryOption = {
  kind: directoryKind,
  required: true,
  meaning: "where its data is kept",
} as const;
export const brokerOption = {
  kind: kindOf("ADDRESS", "any", (given) => {
    const place = readBrokerAddress(given);
    return place.kind === "bad" ? unfit(`is not a broker's address: ${place.reason}`) : given;
  }),
  required: true,
  meaning: brokerMeaning,
} as const;
export const storeOption = {
  kind: text,
  placeholder: "ADDRESS",
  required: true,
  meaning: storeMeaning,
} as const;

/** All users of a machine see command lines; not a file. */
export const storeOrFileOption = {
  ...storeOption,
  kind: textOrFile,
  meaning: `${storeMeaning}; @FILE holds it`,
} as const;

export const listenOption = { kind: listen, meaning: "where /health and /metrics are" } as const;

export const ttlDaysOption = {
  kind: number(1, ttlDaysMax),
  default: ttlDaysDefault,
  meaning: "days that results are kept; may be changed from start to start",
} as const;

export const historyDaysOption = {
  kind: number(1, ttlDaysMax),
  default: historyDaysDefault,
  meaning: "days that their figures by measurement, agent and destination are kept; may be changed likewise",
} as const;

/** On the loopback, at the port that is this part's everywhere. */
function listenDefault(port: number) {
  return { default: { hostname: "127.0.0.1", port }, defaultText: `127.0.0.1:${port}` };
}

export const observerOption = { ...listenOption, ...listenDefault(defaultPorts.stack) } as const;

export const probingOptions = {
  gatewayListen: {
    kind: listen,
    ...listenDefault(defaultPorts.probingGateway),
    meaning: "the probing gateway's API",
  },
  issuerPort: {
    kind: number(0, 65535, "PORT"),
    default: defaultPorts.issuer,
    meaning: "the issuer, on 127.0.0.1",
  },
} as const;

export const peeringOptions = {
  peeringListen: {
    kind: listen,
    ...listenDefault(defaultPorts.peeringGateway),
    meaning: "the peering gateway's API",
  },
} as const;

export const gatewayUrlOption = { kind: url, meaning: "the probing gateway" } as const;
export const issuerUrlOption = { kind: url, meaning: "the issuer of its users' tokens" } as const;
export const peeringUrlOption = { kind: url, meaning: "the peering gateway" } as const;

export const childOption = {
  flag: true,
  default: false,
  hidden: true,
  meaning: "a process of the stack: it ends with its parent, and speaks to it on standard output",
} as const;

export const kafkaBrokersOption = {
  kind: kindOf("HOST:PORT,...", "any", (given) => {
    const place = readBrokerAddress(`kafka:${given}`);
    return place.kind === "kafka" ? place.servers.join(",") : unfit("is not HOST:PORT,...");
  }),
  meaning: "the brokers that a ClickHouse server reads replies from by itself",
} as const;

export const repliesTopicOption = {
  kind: kindOf("TOPIC", "any", (given) => (isTopicName(given) ? given : unfit(`is not ${topicNameWords}`))),
  default: repliesTopic,
  meaning: "where agents publish replies (kafka.out_topic of theirs); each shard of a cluster has its own",
} as const;

export const clusterOption = {
  kind: text,
  placeholder: "NAME",
  meaning: "make this server the front of the cluster, whose shards are made without this option",
} as const;

/** The usual data folder of a service, or of a person. */
export function directoryDefault(): string {
  if (process.getuid?.() === 0) {
    return "/var/lib/vantage/stack";
  }
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "vantage");
}

/** Only a server can read the topic by itself; `` = the ingester feeds the store. */
export function kafkaBrokersFor(store: string, brokers: string | null): string {
  if (embeddedFolder("store", store) !== null && brokers !== null) {
    throw wrongUsage("--kafka-brokers says nothing to an embedded store: the ingester feeds it");
  }
  return brokers ?? "";
}
