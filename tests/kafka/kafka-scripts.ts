/** Apache Kafka as Maven has it, by scripts of the names that are in its distribution's `bin`. */
import { dirname } from "node:path";
import { kafkaFiles } from "./kafka-files.ts";
import { javaCommand } from "./kafka-process.ts";

const tools = {
  "kafka-storage.sh": "kafka.tools.StorageTool",
  "kafka-server-start.sh": "kafka.Kafka",
  "kafka-configs.sh": "kafka.admin.ConfigCommand",
  "kafka-acls.sh": "org.apache.kafka.tools.AclCommand",
  "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
} as const;

interface KafkaScripts {
  /** Texts by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** What they need; it was made for its maker alone. */
  readonly folder: string;
}

/** Rejects with one line that says what to do where Java or Maven is missing. */
export async function kafkaScripts(): Promise<KafkaScripts> {
  const { javaArguments, formattedFolder } = await kafkaFiles();
  const java = [...javaCommand, ...javaArguments].map((word) => `"${word}"`).join(" ");
  const entries = Object.entries(tools).map(
    ([name, main]) => [name, `#!/bin/sh\nexec ${java} ${main} "$@"\n`] as const,
  );
  return { scripts: Object.fromEntries(entries), folder: dirname(formattedFolder) };
}
