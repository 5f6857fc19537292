/** `vantage setup invite`: makes, on the platform, the answers with which an agent's machine is set up. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { stringify } from "yaml";
import { parsedJson } from "../../../lib/base/api/parsed-json.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot, wrongUsage } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { duration, folder, kindOf, prefix as prefixKind, unfit } from "../../../lib/command/command/kinds.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { agentName, type PlatformAnswers } from "./answers.ts";
import { keptAnswers, keptPath } from "./answers-files.ts";
import { inContainer, ran } from "./containers.ts";
import { kafkaScripts } from "./kafka-files.ts";
import { logFolder, probingGatewayPlace } from "./places.ts";
import { secretsIn } from "./secrets.ts";

const gateway = `http://${probingGatewayPlace}`;
const gatewayInContainer = "http://127.0.0.1:8080";
const adminKeyFile = "/var/lib/vantage/probing-gateway/admin.key";
const passwordBytes = 24;
const keyLifeMsMax = 30 * 86_400_000;
const keyLifeMsDefault = 7 * 86_400_000;
const answerMsMax = 10_000;

const agentId = kindOf("ID", "any", (given) => {
  const checked = v.safeParse(agentName, given);
  return checked.success ? checked.output : unfit(checked.issues[0].message);
});

export const command = defineCommand({
  about: `Makes a key for the agent's first contact and, with Kafka, an account at the broker, and prints them with \
the addresses of both as YAML: whoever has it can be this agent. Run again for the same agent, it makes another key, \
and gives the account another password.`,
  options: {
    grant: {
      kind: prefixKind,
      multiple: true,
      meaning:
        "a prefix that it may send from, its own address included; the agent's own, on this machine, may all",
    },
    expires: {
      kind: duration(keyLifeMsMax),
      default: keyLifeMsDefault,
      defaultText: "7d",
      meaning: "how long the key is good",
    },
    kafka: { kind: folder, default: kafkaScripts.home, meaning: "where Kafka is" },
  },
  arguments: { id: { kind: agentId, required: true, meaning: "name of the agent" } },
  examples: [
    [
      "vantage setup invite west --grant 192.0.2.7/32 --grant 2001:db8:a::/48 >west.yaml",
      "for another machine",
    ],
    ["vantage setup invite here | vantage setup --answers -", "an agent on the platform's machine"],
  ],
  act: async ({ id, grant, expires, kafka }) => {
    const answers = platformOf();
    const grants =
      grant.length === 0 && answers.broker === "embedded" ? ["0.0.0.0/0", "::/0"] : grant.map(formatPrefix);
    if (grants.length === 0) {
      throw wrongUsage(
        "--grant is missing: the prefixes that the agent may send from, as its own address /32 and /128",
      );
    }
    const isInContainers = answers.services === "containers";
    const enrolmentKey = isInContainers
      ? enrolInContainers(id, grants, expires)
      : await enrol(id, grants, Date.now() + expires);
    const account = isInContainers ? accountInContainers : accountOnMachine(kafka);
    const broker = answers.broker === "kafka" ? accountOf(answers, id, account) : folderOfStack;
    const agent = { id, ...gatewayOf(answers), enrolment_key: enrolmentKey, ...broker };
    printLine(
      `# Answers of the agent ${id}: vantage setup --answers FILE, on its machine. They hold its keys.`,
    );
    printLine(stringify({ agent }, { lineWidth: 0 }).trimEnd());
    return exitCodes.ok;
  },
});

const folderOfStack = { broker: `embedded:${logFolder}` };

function platformOf(): PlatformAnswers {
  const platform = keptAnswers("/", "platform")?.platform;
  if (platform === undefined) {
    throw cannot(`this machine is not a platform (${keptPath("platform")}): run vantage setup first`);
  }
  return platform;
}

function gatewayOf({ broker, certificates, domain }: PlatformAnswers): object {
  if (broker === "embedded") {
    return { gateway };
  }
  const authority = `${secretsIn("/").read("authority.pem")}\n`;
  return {
    gateway: `https://probing.${domain}`,
    ...(certificates === "local" ? { gateway_authority: authority } : {}),
  };
}

const keyAnswer = v.object({ enrolment_key: v.string() });

async function enrol(id: string, grants: readonly string[], untilMs: number): Promise<string> {
  if (!existsSync(adminKeyFile)) {
    throw cannot(`${adminKeyFile} does not exist: start vantage-probing-gateway first, and run this as root`);
  }
  const order = { label: id, uses: 1, expires_at: new Date(untilMs).toISOString(), granted_prefixes: grants };
  const response = await fetch(`${gateway}/admin/enrolment-keys`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${readFileSync(adminKeyFile, "utf8").trim()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(answerMsMax),
  }).catch((error: unknown) => {
    throw cannot(`the probing gateway does not answer at ${gateway}: ${systemReason(error)}`);
  });
  const answer = v.safeParse(keyAnswer, parsedJson(await response.text()));
  if (!answer.success) {
    throw cannot(`the probing gateway makes no enrolment key: status ${response.status}`);
  }
  return answer.output.enrolment_key;
}

/** By the gateway's own command, with the admin key on its standard input. */
function enrolInContainers(id: string, grants: readonly string[], lifeMs: number): string {
  const given = [...grants.flatMap((grant) => ["--grant", grant]), "--expires", `${lifeMs / 1000}s`];
  const command = ["vantage", "admin", "enrolment", "add", id, ...given, "--gateway", gatewayInContainer];
  const adminKey = secretsIn("/").read("probing_admin_key");
  const { output, failure } = inContainer(
    "probing-gateway",
    [...command, "--token-stdin", "--output", "json"],
    `${adminKey}\n`,
  );
  const answer = v.safeParse(keyAnswer, failure === null ? parsedJson(output) : null);
  if (!answer.success) {
    throw cannot(`the probing gateway makes no enrolment key: ${failure ?? output.trim()}`);
  }
  return answer.output.enrolment_key;
}

/** Makes the account; returns why not. */
type AccountMaker = (id: string, password: string) => string | null;

function accountOf({ domain }: PlatformAnswers, id: string, make: AccountMaker): object {
  const password = randomBytes(passwordBytes).toString("hex");
  const failure = make(id, password);
  if (failure !== null) {
    throw cannot(`the agent's account at the broker could not be made: ${failure}; does Kafka run?`);
  }
  return {
    broker: `kafka.${domain}:9094`,
    broker_password: password,
    broker_authority: `${secretsIn("/").read("kafka_ca.pem")}\n`,
  };
}

/** By the script of deploy/kafka, at the broker's own loopback. */
function accountOnMachine(kafka: string): AccountMaker {
  const variables = { KAFKA_HOME: kafka, LOG_DIR: "/tmp" };
  return (id, password) => ran(["sh", kafkaScripts.addAgent, id], `${password}\n`, variables).failure;
}

const accountInContainers: AccountMaker = (id, password) =>
  inContainer("kafka", [kafkaScripts.addAgent, id], `${password}\n`).failure;
