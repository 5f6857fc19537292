/** Converts a record of kafkajs to ours. */
import type { IHeaders, KafkaMessage } from "kafkajs";
import type { IncomingRecord } from "../broker.ts";

/** The value is a view into the fetched bytes, possibly unaligned. A missing key becomes "", a missing value empty. */
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
 * The first value of a repeated header.
 *
 * kafkajs takes a header named like a member of every object, such as `constructor`, for a repeated one.
 */
function headerText(value: IHeaders[string]): string {
  const values = Array.isArray(value) ? value : [value];
  const text = values.find((one) => typeof one === "string" || Buffer.isBuffer(one));
  return text?.toString() ?? "";
}
