/** What is left to do once the files are written: programs, commands in order, names, ports, logins. Pure. */
import type { Answers, PlatformAnswers } from "./answers.ts";
import { composeCommand, gatewaysInContainers } from "./compose-files.ts";
import { authorityFiles } from "./deploy-files.ts";
import { issuerOf, platformServices } from "./platform-files.ts";
import { secretsFolder } from "./secrets.ts";

export interface Steps {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** `missing`: programs that are not on this machine, as paths. */
export function nextSteps({ platform, agent }: Answers, missing: (path: string) => boolean): Steps[] {
  return [
    ...(platform === undefined ? [] : platformSteps(platform, missing)),
    ...(agent === undefined ? [] : agentSteps(missing)),
  ];
}

function agentSteps(missing: (path: string) => boolean): Steps[] {
  const library = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64"];
  const hasNone = library.every((folder) => missing(`${folder}/libpcap.so.0.8`));
  return [
    {
      heading: "Start the agent (it opens no port to the world)",
      lines: [
        ...(hasNone ? ["apt install libpcap0.8"] : []),
        "systemctl enable --now vantage-agent",
        "vantage doctor agent",
      ],
    },
  ];
}

/** Programs that Debian has, by path. */
const packages: Readonly<Record<string, string>> = {
  "/usr/bin/caddy": "caddy",
  "/usr/bin/prometheus": "prometheus",
  "/usr/bin/prometheus-alertmanager": "prometheus-alertmanager",
};

function platformSteps(answers: PlatformAnswers, missing: (path: string) => boolean): Steps[] {
  if (answers.services === "containers") {
    return containerSteps(answers, missing);
  }
  return [
    install(answers, missing),
    start(answers),
    names(answers),
    users(answers),
    agents(answers),
    { heading: "Then, until nothing fails", lines: [doctorCommand(answers)] },
  ].filter(({ lines }) => lines.length > 0);
}

function agents({ broker }: PlatformAnswers): Steps {
  return {
    heading: "An agent",
    lines: [
      broker === "kafka"
        ? "vantage setup invite west --grant PREFIX >west.yaml    # PREFIX: what it may send from"
        : "vantage setup invite west >west.yaml    # for this machine: the broker is a folder",
      "vantage setup --answers west.yaml    # on the agent's machine; then remove the file",
    ],
  };
}

function containerSteps(answers: PlatformAnswers, missing: (path: string) => boolean): Steps[] {
  const docker = missing("/usr/bin/docker") ? ["install Docker 25 or later, with Compose 2.24 or later"] : [];
  return [
    {
      heading: "Images of this version, which Docker is to have",
      lines: [
        ...docker,
        "in a clone of this version: docker compose build; on another machine: docker save | docker load",
        "vantage, vantage-keycloak, vantage-grafana; the others are pulled by name",
      ],
    },
    { heading: "Start", lines: [`${composeCommand} up --detach --no-build --wait --wait-timeout 900`] },
    names(answers),
    users(answers),
    agents(answers),
    {
      heading: "Then, until nothing fails",
      lines: gatewaysInContainers.map((name) => `${composeCommand} exec ${name} vantage doctor`),
    },
  ];
}

function doctorCommand({ certificates }: PlatformAnswers): string {
  return certificates === "local"
    ? `NODE_EXTRA_CA_CERTS=${authorityFiles.certificate} vantage doctor`
    : "vantage doctor";
}

function install(answers: PlatformAnswers, missing: (path: string) => boolean): Steps {
  const debian = Object.keys(packages).filter(missing);
  const names = [
    ...debian.map((path) => packages[path] ?? ""),
    ...(answers.database === "postgresql" && missing("/usr/bin/psql") ? ["postgresql"] : []),
    ...(needsJava(answers) && missing("/usr/bin/java") ? ["default-jre-headless"] : []),
  ];
  const unpacked = (name: string, from: string) =>
    `unpack ${from} as /opt/${name}, then: chown -R ${name}: /opt/${name}`;
  return {
    heading: "Install what is missing, then run vantage setup again: it gives them their files",
    lines: [
      ...(names.length === 0 ? [] : [`apt install ${names.join(" ")}`]),
      ...(answers.issuer === "keycloak" && missing("/opt/keycloak/bin/kc.sh")
        ? [unpacked("keycloak", "keycloak-26.4.7.tar.gz of keycloak.org")]
        : []),
      ...(answers.broker === "kafka" && missing("/opt/kafka/bin/kafka-server-start.sh")
        ? [unpacked("kafka", "kafka_2.13-4.1.2.tgz of kafka.apache.org")]
        : []),
    ],
  };
}

function needsJava({ issuer, broker }: PlatformAnswers): boolean {
  return issuer === "keycloak" || broker === "kafka";
}

function start(answers: PlatformAnswers): Steps {
  const units = [
    ...(answers.broker === "kafka" ? ["vantage-kafka", "vantage-kafka-topics"] : []),
    ...(answers.issuer === "keycloak" ? ["vantage-keycloak"] : []),
    ...platformServices(answers).map((name) => `vantage-${name}`),
  ];
  const beside = ["caddy", "prometheus", "prometheus-alertmanager"];
  return {
    heading: "Start, in this order",
    lines: [
      ...(answers.database === "postgresql"
        ? [
            `PSQL="runuser -u postgres -- psql" SECRETS=${secretsFolder} sh /etc/vantage/postgres/databases.sh`,
          ]
        : []),
      `systemctl enable ${[...beside, ...units].join(" ")}`,
      `systemctl restart ${beside.join(" ")}`,
      `systemctl restart ${units.join(" ")}`,
      "systemctl restart grafana-server      # where you have installed it, for dashboards",
    ],
  };
}

function names({ domain, issuer, broker, pool, services }: PlatformAnswers): Steps {
  const sites = [
    "probing",
    ...(pool.length === 0 ? [] : ["peering"]),
    ...(issuer === "keycloak" ? ["login"] : []),
    "watch",
    ...(broker === "kafka" ? ["kafka"] : []),
    ...(services === "containers" ? ["vpn"] : []),
  ];
  const ports = [
    "80 and 443 (TCP), 443 (UDP)",
    ...(broker === "kafka" ? ["9094 (TCP, agents)"] : []),
    ...(services === "containers" ? ["3478 (UDP, VPN)", "11019 (TCP, routers by BMP)"] : []),
  ];
  return {
    heading: "Names and ports",
    lines: [
      `DNS to this machine: ${sites.map((name) => `${name}.${domain}`).join(", ")}`,
      `open to the world: ${ports.join(", ")}; everything else listens on the loopback`,
    ],
  };
}

function users(answers: PlatformAnswers): Steps {
  const { domain, issuer, audience } = answers;
  if (issuer === "keycloak") {
    return {
      heading: "Users",
      lines: [
        "ssh -L 8081:127.0.0.1:8081 to this machine, then http://127.0.0.1:8081/admin/master/console/#/vantage",
        `login there: admin, with the password in ${secretsFolder}/keycloak_admin_password`,
        "make users in the realm vantage; operators get its role vantage-operator",
      ],
    };
  }
  return {
    heading: `At the identity provider (${issuerOf(answers)})`,
    lines: [
      "client vantage-cli: public; device authorization grant, refresh tokens",
      "client vantage-console: public; authorization code with PKCE (S256); it may redirect to",
      `  https://probing.${domain}/console/callback`,
      `access tokens of both: JWT, with the audience ${audience}; sub is the same at both`,
      "operators: their sub in platform.operators of the answers",
    ],
  };
}
