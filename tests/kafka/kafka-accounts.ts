/** Topics, accounts and rights, by the commands of docs/operate/encrypted-links.md as they stand. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KafkaAccount } from "../../lib/engines/broker/broker-options.ts";
import { readPage } from "../docs/page-blocks.ts";
import { runToEnd } from "../run/said.ts";
import { kafkaFiles } from "./kafka-files.ts";
import { javaCommand, type KafkaProcess } from "./kafka-process.ts";

const page = "docs/operate/encrypted-links.md";
/** What Kafka's scripts of these names start. */
const tools = {
  "kafka-acls.sh": "org.apache.kafka.tools.AclCommand",
  "kafka-configs.sh": "kafka.admin.ConfigCommand",
  "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
} as const;

/** The account of that name, of `docs/operate/encrypted-links.md`. */
export function accountOf(user: string): KafkaAccount {
  return { mechanism: "SCRAM-SHA-512", user, password: passwordOf(user) };
}

/** Takes 3 s. `folder` is for its scripts. Rejects with what a command says when it fails. */
export async function makeAccounts(kafka: KafkaProcess, folder: string): Promise<void> {
  await writeTools(folder);
  const [topics, ...accounts] = readPage(page).filter(({ words }) => words.has("kafka"));
  const make = (text: string) => runAs(text, folder, `--bootstrap-server ${kafka.server}`);
  await make(topics?.text ?? "");
  await Promise.all(accounts.map(({ text }) => make(text)));
}

function passwordOf(user: string): string {
  return `password-of-${user}`;
}

async function writeTools(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { javaArguments } = await kafkaFiles();
  const quoted = [...javaCommand, ...javaArguments].map((word) => `'${word}'`).join(" ");
  for (const [name, main] of Object.entries(tools)) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexec ${quoted} ${main} "$@"\n`);
    chmodSync(path, 0o755);
  }
}

async function runAs(text: string, folder: string, administrator: string): Promise<void> {
  const user = /^user=(\S+)$/m.exec(text)?.[1] ?? "";
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH ?? ""}`,
    ADMIN: administrator,
    PASSWORD: passwordOf(user),
  };
  const { stdout: said, stderr: complaint, exitCode } = await runToEnd(["sh", "-e", "-c", text], { env });
  if (exitCode !== 0) {
    throw new Error(`Cannot do what ${page} says: ${said}${complaint}`);
  }
}
