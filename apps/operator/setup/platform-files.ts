/** What setup writes for a platform on one machine: our services, and drop-ins for what runs beside them. Pure. */
import databases from "../../../deploy/postgres/databases.sh" with { type: "text" };
import type { PlatformAnswers } from "./answers.ts";
import { composeFiles } from "./compose-files.ts";
import {
  alertmanagerText,
  authorityFiles,
  caddyText,
  contactOf,
  grafanaTexts,
  prometheusTexts,
} from "./deploy-files.ts";
import { grafanaBoards } from "./grafana-boards.ts";
import { kafkaFiles } from "./kafka-files.ts";
import { keycloakFiles } from "./keycloak-files.ts";
import {
  logFolder,
  peeringGatewayPlace,
  probingGatewayPlace,
  stackFolder,
  stackUser,
  storeFolder,
} from "./places.ts";
import { dropIn, groupFile, openFile, type PlannedFile, scriptFile, yamlFile } from "./planned-file.ts";
import { type Secrets, secretsFolder } from "./secrets.ts";

/** Names of its services, in the order in which they are started. */
export function platformServices({ services, broker, pool }: PlatformAnswers): string[] {
  if (services === "containers") {
    return [];
  }
  return [
    "stack",
    ...(broker === "kafka" ? ["ingester"] : []),
    "probing-gateway",
    ...(pool.length === 0 ? [] : ["peering-gateway"]),
  ];
}

export function issuerOf({ issuer, domain }: PlatformAnswers): string {
  return issuer === "keycloak" ? `https://login.${domain}/realms/vantage` : issuer;
}

export function platformFiles(answers: PlatformAnswers, secrets: Secrets, executable: string): PlannedFile[] {
  if (answers.services === "containers") {
    return composeFiles(answers);
  }
  return [
    probingGateway(answers, secrets),
    ...(answers.pool.length === 0 ? [] : [peeringGateway(answers, secrets)]),
    ...dropIns(answers),
    ...(answers.broker === "kafka" ? kafkaFiles(answers, secrets, executable) : []),
    ...(answers.issuer === "keycloak" ? keycloakFiles(answers) : []),
    ...(answers.database === "postgresql"
      ? [scriptFile("/etc/vantage/postgres/databases.sh", databases)]
      : []),
    ...around(answers, secrets),
  ];
}

function probingGateway(answers: PlatformAnswers, secrets: Secrets): PlannedFile {
  const { domain, pool, broker } = answers;
  const value = {
    gateway: {
      address: probingGatewayPlace,
      state_dir: "/var/lib/vantage/probing-gateway",
      base_url: `https://probing.${domain}`,
      ...(pool.length === 0 ? {} : { peering_gateway: `https://peering.${domain}` }),
      contact: contactOf(answers),
    },
    ...databaseOf(answers, secrets, "probing"),
    kafka:
      broker === "embedded"
        ? { brokers: `embedded:${logFolder}` }
        : {
            brokers: "127.0.0.1:9092",
            auth_protocol: "SASL_PLAINTEXT",
            auth_sasl_username: "vantage-gateway",
            auth_sasl_password: secrets.read("kafka_gateway"),
          },
    store: { address: `chdb:${storeFolder}` },
    oidc: usersOf(answers),
  };
  const page = "docs/reference/probing-gateway-configuration.md";
  return yamlFile("/etc/vantage/probing-gateway.yaml", stackUser, page, value);
}

function peeringGateway(answers: PlatformAnswers, secrets: Secrets): PlannedFile {
  const { domain, issuer, pool, asn } = answers;
  const value = {
    gateway: { address: peeringGatewayPlace, state_dir: "/var/lib/vantage/peering-gateway" },
    ...databaseOf(answers, secrets, "peering"),
    oidc: usersOf(answers),
    leases: { pool },
    ...(asn === undefined ? {} : { rpki: { origin_asn: asn } }),
    // Without them no address of a user can be read any more: part of every backup.
    subjects: { keys: secrets.read("subject_keys").split("\n") },
    ...(issuer === "keycloak"
      ? {
          email: {
            provider: "keycloak",
            url: `https://login.${domain}`,
            realm: "vantage",
            client_id: "vantage-email",
            client_secret: secrets.read("email_client_secret"),
          },
        }
      : {}),
    service: { keys: [{ name: "exchange", key: secrets.read("peering_service_key") }] },
  };
  const page = "docs/reference/peering-gateway-configuration.md";
  return yamlFile("/etc/vantage/peering-gateway.yaml", "vantage-peering-gateway", page, value);
}

function databaseOf({ database }: PlatformAnswers, secrets: Secrets, name: "probing" | "peering"): object {
  return database === "embedded" ? {} : { database: { address: secrets.read(`${name}_database`) } };
}

function usersOf(answers: PlatformAnswers): object {
  return {
    issuer: issuerOf(answers),
    audiences: [answers.audience],
    ...(answers.operators.length === 0 ? {} : { operators: answers.operators }),
    ...(answers.issuer === "keycloak" ? { operator_claim: "realm_access.roles" } : {}),
  };
}

function dropIns(answers: PlatformAnswers): PlannedFile[] {
  const { certificates, database, pool } = answers;
  const trust =
    certificates === "local" ? [`Environment=NODE_EXTRA_CA_CERTS=${authorityFiles.certificate}`] : [];
  const after = [
    "[Unit]",
    `After=vantage-stack.service${database === "postgresql" ? " postgresql.service" : ""}`,
    "[Service]",
  ];
  const asStack = [`User=${stackUser}`, `Group=${stackUser}`, `ReadWritePaths=${stackFolder}`];
  return [
    dropIn("vantage-probing-gateway", [...after, ...asStack, ...trust]),
    ...(pool.length === 0 ? [] : [dropIn("vantage-peering-gateway", [...after, ...trust])]),
  ];
}

/** TLS in front; and what watches: Debian's packages of all but Grafana, with configurations of their own. */
function around(answers: PlatformAnswers, secrets: Secrets): PlannedFile[] {
  const below = (folder: string, texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => openFile(`/etc/vantage/${folder}/${name}`, text));
  const alertmanager = "/etc/vantage/alertmanager/alertmanager.yaml";
  const runs = (command: string) => ["[Service]", "ExecStart=", `ExecStart=${command}`];
  const caddyfile = "/etc/vantage/caddy/Caddyfile";
  return [
    openFile(caddyfile, caddyText(answers)),
    dropIn("caddy", [...runs(`/usr/bin/caddy run --environ --config ${caddyfile}`), "ExecReload="]),
    ...(answers.certificates === "local"
      ? [
          openFile(authorityFiles.certificate, `${secrets.read("authority.pem")}\n`),
          groupFile(authorityFiles.key, "caddy", `${secrets.read("authority.key")}\n`),
        ]
      : []),
    ...below("prometheus", prometheusTexts(answers)),
    dropIn(
      "prometheus",
      runs(
        "/usr/bin/prometheus --config.file=/etc/vantage/prometheus/prometheus.yaml " +
          "--storage.tsdb.path=/var/lib/prometheus/metrics2 --storage.tsdb.retention.time=30d " +
          "--web.listen-address=127.0.0.1:9090",
      ),
    ),
    groupFile(alertmanager, "prometheus", alertmanagerText(answers)),
    dropIn(
      "prometheus-alertmanager",
      runs(
        `/usr/bin/prometheus-alertmanager --config.file=${alertmanager} ` +
          "--storage.path=/var/lib/prometheus/alertmanager --web.listen-address=127.0.0.1:9093 " +
          "--cluster.listen-address=",
      ),
    ),
    ...below("grafana", { ...grafanaTexts(answers), ...grafanaBoards() }),
    dropIn("grafana-server", [
      "[Service]",
      // Else its first administrator is admin with the password admin, and its pages are public.
      `LoadCredential=admin:${secretsFolder}/grafana_admin_password`,
      "Environment=GF_SECURITY_ADMIN_PASSWORD__FILE=%d/admin",
      "Environment=GF_USERS_ALLOW_SIGN_UP=false",
      "Environment=GF_PATHS_PROVISIONING=/etc/vantage/grafana/provisioning",
      `Environment=GF_SERVER_ROOT_URL=https://watch.${answers.domain}`,
      "Environment=GF_SERVER_HTTP_ADDR=127.0.0.1",
    ]),
  ];
}
