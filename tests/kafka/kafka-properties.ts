/** The configuration of a test's broker, and the ports that it listens on. */
import { writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { freePortsFor } from "../server/free-ports.ts";
import type { Certificates } from "./certificates.ts";

/** All on loopback; those with TLS are open when there are certificates. */
export interface KafkaPorts {
  readonly plain: number;
  /** Without a login on ::1, where the machine has it. */
  readonly ipv6?: number;
  /** TLS on ::1 likewise, with a certificate for 127.0.0.1 and ::1. */
  readonly ipv6Tls?: number;
  /** SASL_PLAINTEXT, mechanism SCRAM-SHA-512. */
  readonly sasl: number;
  readonly controller: number;
  /** TLS without a login; its certificate is for localhost. */
  readonly tls: number;
  /** SASL_SSL, mechanisms SCRAM-SHA-512 and SCRAM-SHA-256. */
  readonly saslTls: number;
  /** The same, with a certificate that has expired. */
  readonly expired: number;
}

interface Listener {
  readonly name: string;
  readonly port: keyof KafkaPorts;
  readonly protocol: string;
  /** Where it listens; 127.0.0.1 unless it says otherwise. */
  readonly address?: string;
  /** The address advertised to clients, where it is another. */
  readonly host?: string;
}

/** Containers often have no ::1. */
export const hasIpv6 = Object.values(networkInterfaces()).some((of) =>
  of?.some(({ address }) => address === "::1"),
);
const ipv6 = "[::1]";
const ipv4 = "127.0.0.1";

const plainListeners: readonly Listener[] = [
  { name: "INSIDE", port: "plain", protocol: "PLAINTEXT" },
  { name: "SASL", port: "sasl", protocol: "SASL_PLAINTEXT" },
  { name: "IPV6", port: "ipv6", protocol: "PLAINTEXT", address: ipv6 },
];
const tlsListeners: readonly Listener[] = [
  { name: "TLS", port: "tls", protocol: "SSL", host: "localhost" },
  { name: "OUTSIDE", port: "saslTls", protocol: "SASL_SSL" },
  { name: "EXPIRED", port: "expired", protocol: "SASL_SSL" },
  { name: "IPV6TLS", port: "ipv6Tls", protocol: "SSL", address: ipv6 },
];
const scramModule = "org.apache.kafka.common.security.scram.ScramLoginModule required;";

export interface BrokerFacts {
  readonly certificates?: Certificates | null;
  /** Properties in place of the usual ones. */
  readonly more?: Readonly<Record<string, string>>;
}

/** With certificates, accounts may do only what they are allowed; who needs no login may do all. */
export function writeProperties(
  path: string,
  dataFolder: string,
  ports: KafkaPorts,
  { certificates = null, more = {} }: BrokerFacts = {},
): void {
  const listeners = [...plainListeners, ...(certificates === null ? [] : tlsListeners)].filter(
    ({ port }) => ports[port] !== undefined,
  );
  const addresses = listeners.map(({ name, port, address = ipv4 }) => `${name}://${address}:${ports[port]}`);
  const protocols = listeners.map(({ name, protocol }) => `${name}:${protocol}`);
  const lines = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": `1@127.0.0.1:${ports.controller}`,
    listeners: [...addresses, `CONTROLLER://127.0.0.1:${ports.controller}`].join(),
    "advertised.listeners": listeners
      .map(({ name, port, address = ipv4, host = address }) => `${name}://${host}:${ports[port]}`)
      .join(),
    "listener.security.protocol.map": ["CONTROLLER:PLAINTEXT", ...protocols].join(),
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "INSIDE",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "listener.name.sasl.scram-sha-512.sasl.jaas.config": scramModule,
    ...(certificates === null ? {} : secured(certificates)),
    "log.dirs": dataFolder,
    // A broker that was killed may come back as soon as the controller holds it for dead: not after 9 s.
    "broker.session.timeout.ms": "2000",
    "broker.heartbeat.interval.ms": "500",
    "num.partitions": "1",
    // A misspelt topic must show in a test, not come into being.
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    ...more,
  };
  const text = Object.entries(lines).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path, text.join(""));
}

/** What docs/operate/encrypted-links.md says, and a listener each for what it does not. */
export function secured({ broker, named, expired }: Certificates): Readonly<Record<string, string>> {
  return {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
    "listener.name.tls.ssl.keystore.type": "PEM",
    "listener.name.tls.ssl.keystore.location": named,
    "listener.name.ipv6tls.ssl.keystore.type": "PEM",
    "listener.name.ipv6tls.ssl.keystore.location": broker,
    ...scramOverTls("outside", broker),
    ...scramOverTls("expired", expired),
  };
}

function scramOverTls(listener: string, certificate: string): Readonly<Record<string, string>> {
  const start = `listener.name.${listener}`;
  return {
    [`${start}.ssl.keystore.type`]: "PEM",
    [`${start}.ssl.keystore.location`]: certificate,
    [`${start}.sasl.enabled.mechanisms`]: "SCRAM-SHA-512,SCRAM-SHA-256",
    [`${start}.scram-sha-512.sasl.jaas.config`]: scramModule,
    [`${start}.scram-sha-256.sasl.jaas.config`]: scramModule,
  };
}

export function freePorts(): KafkaPorts {
  const { ipv6, ipv6Tls, ...ports } = freePortsFor(
    ...(["plain", "ipv6", "ipv6Tls", "sasl", "controller", "tls", "saslTls", "expired"] as const),
  );
  return hasIpv6 ? { ...ports, ipv6, ipv6Tls } : ports;
}
