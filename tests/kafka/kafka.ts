/** A real Apache Kafka for a test: `await using kafka = await startKafka()`. */
import type { Certificates } from "./certificates.ts";
import { kafkaFiles } from "./kafka-files.ts";
import { KafkaProcess } from "./kafka-process.ts";

/** The first start on a machine fetches 54 MB by Maven. Rejects with one clear line where that cannot be. */
export async function startKafka(): Promise<KafkaProcess> {
  return await KafkaProcess.start(await kafkaFiles());
}

/** With TLS and ACLs too: nobody who logs in may do anything until somebody allows it. */
export async function startSecureKafka(certificates: Certificates): Promise<KafkaProcess> {
  return await KafkaProcess.start({ ...(await kafkaFiles()), facts: { certificates } });
}

/** With properties in place of the usual ones. */
export async function startKafkaWith(more: Readonly<Record<string, string>>): Promise<KafkaProcess> {
  return await KafkaProcess.start({ ...(await kafkaFiles()), facts: { more } });
}
