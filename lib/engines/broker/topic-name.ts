/** Names of topics, by Kafka's rule for both engines; in the embedded log they are names of files too. */
import { BrokerError, type Topic } from "./broker.ts";

const partitionsMax = 1024;

export const topicNameWords = "1 to 200 letters, digits, dots, hyphens and underscores";

export function isTopicName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,200}$/.test(name) && name !== "." && name !== "..";
}

/** Throws BrokerError `refused`. */
export function checkTopicName(name: string): void {
  if (!isTopicName(name)) {
    throw new BrokerError("refused", `Cannot use topic "${name}": a name has ${topicNameWords}`);
  }
}

/** Throws BrokerError `refused`. */
export function checkTopic({ name, partitions, retentionMs }: Topic): void {
  checkTopicName(name);
  if (!Number.isSafeInteger(partitions) || partitions < 1 || partitions > partitionsMax) {
    throw new BrokerError(
      "refused",
      `Cannot create topic "${name}": ${partitions} partitions, not 1 to ${partitionsMax}`,
    );
  }
  if (!Number.isSafeInteger(retentionMs) || retentionMs < 1) {
    throw new BrokerError(
      "refused",
      `Cannot create topic "${name}": retention of ${retentionMs} ms, not 1 or more`,
    );
  }
}
