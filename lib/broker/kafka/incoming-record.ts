/** A record as kafkajs hands it over, made ours. */
import type { IHeaders, KafkaMessage } from "kafkajs";
import type { IncomingRecord } from "../broker.ts";

/** The value is a view into what was fetched, at any place: unaligned. No key is "", no value is empty. */
export function incomingRecord(topic: string, partition: number, message: KafkaMessage): IncomingRecord {
  const { key, value, headers } = message;
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    timestampMs: Number(message.timestamp),
    key: key?.toString() ?? "",
    value:
      value === null ? new Uint8Array(0) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name, headerText(value)]),
    ),
  };
}

/**
 * Of a header that is there twice, the first.
 *
 * A name that every object has, as `constructor`, kafkajs takes for a second one behind the object's own.
 */
function headerText(value: IHeaders[string]): string {
  const values = Array.isArray(value) ? value : [value];
  const text = values.find((one) => typeof one === "string" || Buffer.isBuffer(one));
  return text?.toString() ?? "";
}
