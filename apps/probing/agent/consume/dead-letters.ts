/**
 * Refused records, kept for inspection: one JSON object a line, the value in base64.
 *
 * Bounded: at its limit the file becomes `….1.ndjson`, and replaces the previous file of that name.
 */
import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { IncomingRecord } from "../../../../lib/engines/broker/broker.ts";
import { deadLetterBytesMax, deadLetterValueBytesMax } from "../limits.ts";

export class DeadLetters {
  readonly #path: string;
  readonly #olderPath: string;
  readonly #bytesMax: number;
  #bytes: number;

  constructor(folder: string, bytesMax = deadLetterBytesMax) {
    this.#path = join(folder, "refused-records.ndjson");
    this.#olderPath = join(folder, "refused-records.1.ndjson");
    this.#bytesMax = bytesMax;
    this.#bytes = existsSync(this.#path) ? statSync(this.#path).size : 0;
  }

  /** False when it could not be written: a full disk must not stop the agent. */
  add(record: IncomingRecord, reason: string): boolean {
    const line = `${JSON.stringify(letterOf(record, reason))}\n`;
    try {
      if (this.#bytes > 0 && this.#bytes + line.length > this.#bytesMax) {
        renameSync(this.#path, this.#olderPath);
        this.#bytes = 0;
      }
      appendFileSync(this.#path, line);
      this.#bytes += line.length;
      return true;
    } catch {
      return false;
    }
  }
}

const headersShownMax = 16;

function letterOf(record: IncomingRecord, reason: string) {
  const { topic, partition, offset, timestampMs, key, value } = record;
  const headers = Object.entries(record.headers).slice(0, headersShownMax);
  return {
    reason,
    topic,
    partition,
    offset: offset.toString(),
    published: new Date(timestampMs).toISOString(),
    key: key.slice(0, 256),
    headers: Object.fromEntries(headers.map(([name, text]) => [name.slice(0, 256), text.slice(0, 1024)])),
    value_bytes: value.length,
    value: Buffer.from(value.subarray(0, deadLetterValueBytesMax)).toString("base64"),
  };
}
