/**
 * Journal of sent probes, one JSON object per line, so that no probe is sent twice after a restart or when a gateway
 * publishes a record twice.
 *
 * A line is written when the kernel has accepted the whole record, before its offset is committed; and at each commit
 * when it has accepted more of a record, but not all. So a probe that is not in the file may not have been sent, and is
 * sent again when its record is delivered again. Nothing waits for the disk: a line lost in a power cut costs a
 * repetition, not a loss.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const lineSchema = v.object({
  measurementId: v.string(),
  /** See ProbeJob.target. */
  target: v.string(),
  /** Milliseconds since the epoch; after it the line is obsolete. */
  notAfterMs: whole,
  /** Indices of probes in the measurement: the first, and the one after the last. */
  from: whole,
  to: whole,
  /** The last record of its target is complete. */
  ends: v.boolean(),
  /** Totals of the whole measurement so far. */
  failed: whole,
  replied: whole,
  error: v.nullable(v.string()),
});
export type JournalLine = v.InferOutput<typeof lineSchema>;

export class ProgressJournal {
  readonly #path: string;
  #bytes: number;

  constructor(folder: string) {
    this.#path = join(folder, "progress.ndjson");
    this.#bytes = existsSync(this.#path) ? statSync(this.#path).size : 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A line that cannot be read, such as one cut off by a crash, is skipped. */
  read(): JournalLine[] {
    if (!existsSync(this.#path)) {
      return [];
    }
    return journalLines(readFileSync(this.#path, "utf8"));
  }

  /** Throws when it cannot be written. */
  append(lines: readonly JournalLine[]): void {
    const text = textOf(lines);
    appendFileSync(this.#path, text);
    this.#bytes += text.length;
  }

  /** Replaces all lines by these. Throws when they cannot be written; then nothing is lost. */
  rewrite(lines: readonly JournalLine[]): void {
    const text = textOf(lines);
    writeFileSync(`${this.#path}.new`, text);
    renameSync(`${this.#path}.new`, this.#path);
    this.#bytes = text.length;
  }
}

/** The lines of a journal that can be read. */
export function journalLines(text: string): JournalLine[] {
  return text.split("\n").flatMap((one) => parse(one) ?? []);
}

/** Starts with a line feed, so that a truncated line damages no other. */
function textOf(lines: readonly JournalLine[]): string {
  return lines.map((line) => `\n${JSON.stringify(line)}`).join("");
}

function parse(text: string): JournalLine | null {
  try {
    return v.parse(lineSchema, JSON.parse(text));
  } catch {
    return null;
  }
}
