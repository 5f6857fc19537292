/** Apache Kafka on this machine, in /opt/kafka: files of deploy/kafka, units, what reads it into the store. Pure. */
import addAgent from "../../../deploy/kafka/add-agent.sh" with { type: "text" };
import log4j from "../../../deploy/kafka/log4j2.yaml" with { type: "text" };
import properties from "../../../deploy/kafka/server.properties" with { type: "text" };
import start from "../../../deploy/kafka/start.sh" with { type: "text" };
import topics from "../../../deploy/kafka/topics.sh" with { type: "text" };
import type { PlatformAnswers } from "./answers.ts";
import { heading } from "./deploy-files.ts";
import { stackFolder, stackUser, storeFolder } from "./places.ts";
import { dropIn, groupFile, openFile, type PlannedFile, scriptFile } from "./planned-file.ts";
import { type Secrets, secretsFolder } from "./secrets.ts";
import { environment, serviceUnit } from "./service-unit.ts";

const home = "/opt/kafka";
const folder = "/etc/vantage/kafka";
export const kafkaScripts = { addAgent: `${folder}/add-agent.sh`, home } as const;
const store = `chdb:${storeFolder}`;

/** Files of deploy/kafka, by name. */
export const kafkaTexts = {
  files: { "server.properties": properties, "log4j2.yaml": String(log4j) },
  scripts: { "start.sh": start, "topics.sh": topics, "add-agent.sh": addAgent },
} as const;

export function kafkaFiles(answers: PlatformAnswers, secrets: Secrets, executable: string): PlannedFile[] {
  return [
    openFile("/etc/sysusers.d/vantage-kafka.conf", 'u kafka - "Apache Kafka"\n'),
    openFile(`${folder}/server.properties`, properties),
    openFile(`${folder}/log4j2.yaml`, log4j),
    scriptFile(`${folder}/start.sh`, start),
    scriptFile(`${folder}/topics.sh`, topics),
    scriptFile(kafkaScripts.addAgent, addAgent),
    openFile("/etc/systemd/system/vantage-kafka.service", brokerUnit(answers)),
    openFile("/etc/systemd/system/vantage-kafka-topics.service", topicsUnit),
    ...storeFiles(secrets, executable),
  ];
}

function brokerUnit({ domain }: PlatformAnswers): string {
  const variables = {
    KAFKA_HOME: home,
    DATA: "/var/lib/vantage-kafka/data",
    LOG_DIR: "/var/lib/vantage-kafka/logs",
    KEYSTORE: "%d/kafka_keystore.pem",
    OUTSIDE_NAME: `kafka.${domain}`,
    INSIDE_NAME: "127.0.0.1",
    INSIDE_BIND: "127.0.0.1",
    // Alertmanager has 9093, Kafka's usual one.
    CONTROLLER_PORT: "9095",
    EXTRA_ARGS: "-name kafkaServer",
    KAFKA_LOG4J_OPTS: `-Dlog4j2.configurationFile=${folder}/log4j2.yaml`,
  };
  return serviceUnit({
    description: "Apache Kafka, the broker of a Vantage platform",
    after: "network-online.target",
    user: "kafka",
    credentials: ["kafka_keystore.pem"],
    variables,
    service: [
      "StateDirectory=vantage-kafka",
      "StateDirectoryMode=0700",
      `ExecStart=${folder}/start.sh`,
      "LimitNOFILE=100000",
    ],
  });
}

const accounts = ["kafka_gateway", "kafka_ingester", "kafka_collector"];

const topicsUnit = `${heading("from deploy/kafka")}${[
  "[Unit]",
  "Description=Topics and accounts of a Vantage platform's broker",
  "After=vantage-kafka.service",
  "Requires=vantage-kafka.service",
  "",
  "[Service]",
  "Type=oneshot",
  "RemainAfterExit=yes",
  "User=kafka",
  "Group=kafka",
  ...accounts.map((name) => `LoadCredential=${name}:${secretsFolder}/${name}`),
  ...environment({ KAFKA_HOME: home, SECRETS: "%d", LOG_DIR: "/tmp", KAFKA_HEAP_OPTS: "-Xmx256m" }),
  `ExecStart=${folder}/topics.sh`,
  "# The broker may take some seconds until it listens.",
  "Restart=on-failure",
  "RestartSec=5",
  "PrivateTmp=yes",
  "",
  "[Install]",
  "WantedBy=multi-user.target",
].join("\n")}
`;

/** The stack's own broker and ingester are not used: its unit runs the store, and the ingester's reads Kafka. */
function storeFiles(secrets: Secrets, executable: string): PlannedFile[] {
  const variables = [
    "BROKER=kafka:127.0.0.1:9092",
    `STORE=${store}`,
    "OPTIONS=--listen=127.0.0.1:8090",
    "VANTAGE_KAFKA__AUTH_PROTOCOL=SASL_PLAINTEXT",
    "VANTAGE_KAFKA__AUTH_SASL_USERNAME=vantage-ingester",
    `VANTAGE_KAFKA__AUTH_SASL_PASSWORD=${secrets.read("kafka_ingester")}`,
  ];
  const text = `${heading("from your answers")}${variables.join("\n")}\n`;
  return [
    dropIn("vantage-stack", [
      "[Service]",
      "ExecStart=",
      `ExecStart=${executable} stack store --dir ${storeFolder}`,
    ]),
    groupFile("/etc/vantage/ingester.env", stackUser, text),
    dropIn("vantage-ingester", [
      "[Unit]",
      "After=vantage-stack.service vantage-kafka-topics.service",
      "[Service]",
      `User=${stackUser}`,
      `Group=${stackUser}`,
      `ReadWritePaths=${stackFolder}`,
      `ExecStartPre=${executable} stack migrate --store ${store}`,
    ]),
  ];
}
