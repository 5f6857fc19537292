/**
 * A platform in containers: compose.yaml and the files of `deploy` that it mounts, below one folder, with the answers
 * as its variables. The same files as in a clone; only secrets and the authority lie where setup has them. Pure.
 */
import composeText from "../../../compose.yaml" with { type: "text" };
import clickhouseFile from "../../../deploy/clickhouse/vantage.xml" with { type: "text" };
import collectorFile from "../../../deploy/collector/collector.yaml" with { type: "text" };
import clickhouseSourceFile from "../../../deploy/grafana/provisioning/datasources/clickhouse.yaml" with {
  type: "text",
};
import results from "../../../deploy/grafana/vantage-results.json" with { type: "json" };
import headscaleFile from "../../../deploy/headscale/config.yaml" with { type: "text" };
import vpnPolicy from "../../../deploy/headscale/policy.hujson" with { type: "text" };
import realm from "../../../deploy/keycloak/realm.json" with { type: "json" };
import startKeycloak from "../../../deploy/keycloak/start.sh" with { type: "text" };
import databases from "../../../deploy/postgres/databases.sh" with { type: "text" };
import type { PlatformAnswers } from "./answers.ts";
import { composeDeployTexts, contactOf, heading } from "./deploy-files.ts";
import { grafanaBoards } from "./grafana-boards.ts";
import { kafkaTexts } from "./kafka-files.ts";
import { openFile, type PlannedFile, scriptFile } from "./planned-file.ts";
import { secretsFolder } from "./secrets.ts";

/** The compiler knows YAML and XML as data, not as text. */
const clickhouse = String(clickhouseFile);
const compose: string = composeText;
const collector: string = collectorFile;
const headscale: string = headscaleFile;
const clickhouseSource: string = clickhouseSourceFile;

const composeFolder = "/etc/vantage/compose";
/** Words behind `docker`. */
export const composeWords = ["compose", "--project-directory", composeFolder] as const;
/** The same for people. */
export const composeCommand = `docker ${composeWords.join(" ")}`;
export const gatewaysInContainers = ["probing-gateway", "peering-gateway"] as const;
const authority = { certificate: "authority.pem", key: "authority.key" } as const;

export function composeFiles(answers: PlatformAnswers): PlannedFile[] {
  const at = (path: string) => `${composeFolder}/${path}`;
  const boards = {
    ...grafanaBoards(),
    "dashboards/vantage-results.json": `${JSON.stringify(results, null, 2)}\n`,
  };
  const texts: Readonly<Record<string, string>> = {
    "compose.yaml": withoutBuilds(compose).replaceAll("./deploy/secrets/", `${secretsFolder}/`),
    ".env": variables(answers),
    ...(answers.certificates === "local" ? { "compose.override.yaml": trustLocal } : {}),
    "deploy/clickhouse/vantage.xml": clickhouse,
    "deploy/collector/collector.yaml": collector,
    "deploy/headscale/config.yaml": headscale,
    "deploy/headscale/policy.hujson": vpnPolicy,
    "deploy/keycloak/realm.json": `${JSON.stringify(realm, null, 2)}\n`,
    "deploy/peering/pool": `${answers.pool.join("\n")}\n`,
    "deploy/grafana/provisioning/datasources/clickhouse.yaml": clickhouseSource,
    ...below("deploy", composeDeployTexts()),
    ...below(
      "deploy/grafana",
      Object.fromEntries(
        Object.entries(boards).map(([path, text]) => [path.replace("dashboards/", ""), text]),
      ),
    ),
  };
  const scripts = {
    "deploy/keycloak/start.sh": startKeycloak,
    "deploy/postgres/databases.sh": databases,
    ...below("deploy/kafka", kafkaTexts.scripts),
  };
  return [
    ...Object.entries({ ...texts, ...below("deploy/kafka", kafkaTexts.files) }).map(([path, text]) =>
      openFile(at(path), text),
    ),
    ...Object.entries(scripts).map(([path, text]) => scriptFile(at(path), text)),
  ];
}

function below(folder: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** Images are loaded, not built, as this machine has no clone. */
function withoutBuilds(text: string): string {
  return text.replaceAll(/^ *build: \{.*\}\n/gm, "");
}

function variables(answers: PlatformAnswers): string {
  const lines = [
    "COMPOSE_PROFILES=platform",
    `PLATFORM_DOMAIN=${answers.domain}`,
    `PLATFORM_CONTACT=${contactOf(answers)}`,
    ...(answers.asn === undefined ? [] : [`PLATFORM_ASN=${answers.asn}`]),
  ];
  return `${heading("from your answers; all variables: docs/operate/compose.md")}${lines.join("\n")}\n`;
}

/** As in docs/operate/compose.md, with the authority that setup makes. */
const trustLocal = `${heading("as certificates are local")}x-trust: &trust
  volumes: ["${secretsFolder}/${authority.certificate}:/run/authority.pem:ro"]
  environment: { NODE_EXTRA_CA_CERTS: /run/authority.pem, SSL_CERT_FILE: /run/authority.pem }
services:
  edge:
    volumes:
      - "${secretsFolder}/${authority.certificate}:/run/authority.pem:ro"
      - "${secretsFolder}/${authority.key}:/run/authority.key:ro"
    environment:
      EDGE_OPTIONS: |-
        local_certs
        skip_install_trust
        pki {
          ca local {
            root {
              cert /run/authority.pem
              key /run/authority.key
            }
          }
        }
  issuer-ready: *trust
  headscale: *trust
`;
