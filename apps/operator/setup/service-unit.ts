/** Units of what runs beside our own services. Pure. */
import { heading } from "./deploy-files.ts";
import { secretsFolder } from "./secrets.ts";

interface ServiceUnit {
  readonly description: string;
  readonly after: string;
  /** Its group has the same name. */
  readonly user: string;
  /** Names of secrets. */
  readonly credentials: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Lines of [Service] besides those of all. */
  readonly service: readonly string[];
}

export function serviceUnit({
  description,
  after,
  user,
  credentials,
  variables,
  service,
}: ServiceUnit): string {
  const lines = [
    "[Unit]",
    `Description=${description}`,
    `After=${after}`,
    "Wants=network-online.target",
    "",
    "[Service]",
    `User=${user}`,
    `Group=${user}`,
    "UMask=0077",
    ...credentials.map((name) => `LoadCredential=${name}:${secretsFolder}/${name}`),
    ...environment(variables),
    ...service,
    "Restart=on-failure",
    "RestartSec=5",
    "NoNewPrivileges=yes",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "",
    "[Install]",
    "WantedBy=multi-user.target",
  ];
  return `${heading("from your answers")}${lines.join("\n")}\n`;
}

/** A variable with a space is one word for systemd when it is quoted as a whole. */
export function environment(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) =>
    value.includes(" ") ? `Environment="${name}=${value}"` : `Environment=${name}=${value}`,
  );
}
