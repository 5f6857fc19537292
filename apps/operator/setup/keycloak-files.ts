/** Keycloak on this machine, in /opt/keycloak: the realm of deploy/keycloak, and a unit. Pure. */
import realm from "../../../deploy/keycloak/realm.json" with { type: "json" };
import start from "../../../deploy/keycloak/start.sh" with { type: "text" };
import type { PlatformAnswers } from "./answers.ts";
import { authorityFiles } from "./deploy-files.ts";
import { openFile, type PlannedFile, scriptFile } from "./planned-file.ts";
import { serviceUnit } from "./service-unit.ts";

const home = "/opt/keycloak";
const folder = "/etc/vantage/keycloak";
/** As start.sh names them. */
const credentials = [
  "keycloak_database",
  "keycloak_admin_password",
  "headscale_client_secret",
  "email_client_secret",
];

/** Keycloak replaces the variables of the realm when it reads the file, once, before the realm exists. */
export function keycloakFiles(answers: PlatformAnswers): PlannedFile[] {
  const { audience } = answers;
  const text = JSON.stringify(realm, null, 2).replaceAll(
    '"included.custom.audience": "vantage"',
    `"included.custom.audience": ${JSON.stringify(audience)}`,
  );
  return [
    openFile("/etc/sysusers.d/vantage-keycloak.conf", 'u keycloak - "Keycloak"\n'),
    openFile(`${folder}/realm.json`, `${text}\n`),
    scriptFile(`${folder}/start.sh`, start),
    openFile("/etc/systemd/system/vantage-keycloak.service", unit(answers)),
  ];
}

function unit({ domain, certificates }: PlatformAnswers): string {
  const variables = {
    SECRETS: "%d",
    KEYCLOAK_HOME: home,
    PLATFORM_DOMAIN: domain,
    KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
    KC_DB: "postgres",
    KC_DB_URL: "jdbc:postgresql://127.0.0.1:5432/keycloak",
    KC_DB_USERNAME: "keycloak",
    KC_CACHE: "local",
    KC_HOSTNAME: `https://login.${domain}`,
    // By ssh -L 8081:127.0.0.1:8081, as the way in from outside does not lead there.
    KC_HOSTNAME_ADMIN: "http://127.0.0.1:8081",
    KC_HTTP_ENABLED: "true",
    KC_HTTP_HOST: "127.0.0.1",
    KC_HTTP_PORT: "8081",
    KC_PROXY_HEADERS: "xforwarded",
    ...(certificates === "local" ? { KC_TRUSTSTORE_PATHS: authorityFiles.certificate } : {}),
  };
  return serviceUnit({
    description: "Keycloak, the identity provider of a Vantage platform",
    after: "network-online.target postgresql.service",
    user: "keycloak",
    credentials,
    variables,
    service: [
      `ExecStartPre=/usr/bin/install -D -m 600 ${folder}/realm.json ${home}/data/import/vantage.json`,
      `ExecStart=/bin/sh ${folder}/start.sh start --import-realm`,
    ],
  });
}
