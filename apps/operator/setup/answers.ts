/** What an operator answers: the schema of the answers file, and the rules across its keys. Pure. */

import * as v from "valibot";
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { isOpenHttp, listenAddress, webAddress } from "../../../lib/engines/config/addresses.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../lib/engines/config/load-config.ts";
import { configKey, keyWithDefault, numberKey, optionalKey } from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import type { YamlSource } from "../../../lib/engines/config/yaml-file.ts";
import { readPrefix } from "../../../lib/net/ip/typed-address.ts";
import { asnMax } from "../../../lib/peering/lease/limits.ts";

const label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const domainName = new RegExp(`^(?=.{4,240}$)(${label}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`);
const domain = checkedText(
  (text) => domainName.test(text),
  "must be a domain name in lower case, as example.net",
);
const mail = checkedText((text) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text), "must be an e-mail address");
const issuer = checkedText(
  (text) => text === "keycloak" || (URL.canParse(text) && /^https?:/.test(text)),
  "must be keycloak, or the URL of an OpenID Connect provider",
);
const prefix = checkedText(
  (text) => readPrefix(text).ok,
  "must be a prefix, as 192.0.2.0/24 or 2001:db8::/48",
);
export const agentName = checkedText(
  (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text),
  "must be up to 64 letters, digits and . _ -",
);
const certificates = checkedText(
  (text) => text.includes("-----BEGIN CERTIFICATE-----"),
  "must be certificates in PEM form",
);
const brokerPlace = checkedText(
  (text) => /^embedded:\/./.test(text) || /^[^\s,/]+:\d{1,5}(,[^\s,/]+:\d{1,5})*$/.test(text),
  "must be HOST:PORT,… or embedded:DIR",
);

/** Keys are in the order in which they are asked. */
export const platformSchema = v.object({
  domain: configKey(domain, { meaning: "Domain of the platform: names probing., peering., login. below it" }),
  contact: optionalKey(mail, {
    meaning: "E-mail address for certificates, and for people who find our packets",
    otherwise: "noc@ the domain",
  }),
  issuer: configKey(issuer, {
    meaning: "Who knows the users: keycloak (on this machine), or the URL of an OpenID Connect provider",
  }),
  audience: keyWithDefault(filled, "vantage", { meaning: "Audience that the provider writes into tokens" }),
  operators: v.optional(
    v.array(configKey(filled, { meaning: "Subjects (sub) of operators; with Keycloak the role does it" })),
    [],
  ),
  services: keyWithDefault(v.picklist(["systemd", "containers"]), "systemd", {
    meaning: "What runs them: systemd, or containers, all of them by Docker Compose; not to be changed later",
  }),
  database: keyWithDefault(v.picklist(["postgresql", "embedded"]), "postgresql", {
    meaning: "Databases of the gateways: postgresql (on this machine), or embedded in them",
  }),
  broker: keyWithDefault(v.picklist(["embedded", "kafka"]), "embedded", {
    meaning:
      "embedded: agents on this machine only; kafka: Apache Kafka on this machine, for agents anywhere",
  }),
  certificates: keyWithDefault(v.picklist(["public", "local"]), "public", {
    meaning: "TLS by public (Let's Encrypt), or by local: an authority made here, to try things out",
  }),
  pool: v.optional(
    v.array(configKey(prefix, { meaning: "Prefixes that are leased to users; none: no peering gateway" })),
    [],
  ),
  asn: optionalKey(wholeNumber(1, asnMax), {
    meaning: "AS of the platform at its exchanges",
    otherwise: "exchange servers and the collector state it themselves",
  }),
  alerts: optionalKey(webAddress, { meaning: "Webhook that gets alerts", otherwise: "no alerts are sent" }),
});

const agentSchema = v.object({
  id: configKey(agentName, { meaning: "Name of the agent" }),
  gateway: configKey(webAddress, { meaning: "The probing gateway" }),
  gateway_authority: optionalKey(certificates, {
    meaning: "Authority of the gateway's certificate, PEM",
    otherwise: "the public ones",
  }),
  enrolment_key: configKey(filled, { meaning: "Key for first contact" }),
  broker: configKey(brokerPlace, { meaning: "The broker" }),
  broker_password: optionalKey(filled, { meaning: "Password of its account there", otherwise: "none" }),
  broker_authority: optionalKey(certificates, {
    meaning: "Authority of the broker's certificate, PEM",
    otherwise: "the public ones",
  }),
  interface: optionalKey(filled, { meaning: "Where probes leave", otherwise: "the default route's" }),
  ipv4_prefix: optionalKey(prefix, { meaning: "IPv4 sources", otherwise: "the interface's addresses" }),
  ipv6_prefix: optionalKey(prefix, { meaning: "IPv6 sources", otherwise: "the interface's addresses" }),
  probing_rate: numberKey([1, 10_000_000], 1000, { meaning: "Pace of sending", unit: "packets/s" }),
  metrics_address: keyWithDefault(listenAddress(), "127.0.0.1:8080", {
    meaning: "Where health and metrics are",
    unit: "host:port",
  }),
});

const answersSchema = v.object({
  platform: v.optional(platformSchema),
  agent: v.optional(agentSchema),
});

export type PlatformAnswers = v.InferOutput<typeof platformSchema>;
export type AgentAnswers = v.InferOutput<typeof agentSchema>;
export type Answers = v.InferOutput<typeof answersSchema>;

const noVariables: Environment = {};

/** Throws ConfigError with every problem, each with its place. */
export function readAnswers(source: YamlSource): Answers {
  return loadConfig({
    schema: answersSchema,
    source,
    environment: noVariables,
    environmentPrefixes: [],
    contradictions,
  });
}

function contradictions({ platform, agent }: Answers): Contradiction[] {
  if (platform === undefined && agent === undefined) {
    const reason = "says nothing about this machine: give a section platform or agent (vantage setup --help)";
    return [{ path: [], reason }];
  }
  return [...platformProblems(platform), ...agentProblems(agent)];
}

function platformProblems(platform: PlatformAnswers | undefined): Contradiction[] {
  if (platform === undefined) {
    return [];
  }
  const problems: Contradiction[] = [];
  if (platform.issuer === "keycloak" && platform.database === "embedded") {
    const reason = "must be postgresql, where Keycloak keeps its users too";
    problems.push({ path: ["platform", "database"], reason });
  }
  problems.push(...containerProblems(platform));
  if (isOpenHttp(platform.issuer)) {
    const reason = "must be https:// unless on loopback: anyone on the path can forge tokens";
    problems.push({ path: ["platform", "issuer"], reason });
  }
  return problems;
}

/** compose.yaml has one layout, with everything. */
function containerProblems(platform: PlatformAnswers): Contradiction[] {
  if (platform.services !== "containers") {
    return [];
  }
  const needed = {
    issuer: "keycloak",
    broker: "kafka",
    database: "postgresql",
    audience: "vantage",
  } as const;
  const problems = Object.entries(needed)
    .filter(([key, value]) => platform[key as keyof typeof needed] !== value)
    .map(([key, value]) => ({ path: ["platform", key], reason: `must be ${value}, as containers have it` }));
  const pool = { path: ["platform", "pool"], reason: "must be given: containers have a peering gateway" };
  const operators = {
    path: ["platform", "operators"],
    reason: "must be left out: give the role in Keycloak",
  };
  return [
    ...problems,
    ...(platform.pool.length === 0 ? [pool] : []),
    ...(platform.operators.length > 0 ? [operators] : []),
  ];
}

function agentProblems(agent: AgentAnswers | undefined): Contradiction[] {
  if (agent === undefined) {
    return [];
  }
  const problems: Contradiction[] = [];
  if (isOpenHttp(agent.gateway)) {
    const reason = "must be https:// unless on loopback: anyone on the path can read the agent's key";
    problems.push({ path: ["agent", "gateway"], reason });
  }
  if (embeddedFolder("broker", agent.broker) !== null && agent.broker_password !== undefined) {
    const reason = "does not go with an embedded broker, which has no accounts";
    problems.push({ path: ["agent", "broker_password"], reason });
  }
  return problems;
}
