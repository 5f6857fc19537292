/** A real Apache Kafka for a test: `await using kafka = await startKafka()`. */
import { kafkaFiles } from "./kafka-files.ts";
import { KafkaProcess } from "./kafka-process.ts";

/** The first start on a machine fetches 54 MB by Maven. Rejects with one clear line where that cannot be. */
export async function startKafka(): Promise<KafkaProcess> {
  return await KafkaProcess.start(await kafkaFiles());
}
