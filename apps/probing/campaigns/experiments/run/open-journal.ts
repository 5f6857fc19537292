/**
 * The journal of a running experiment, in the gateway's database. Each line has its place, so of two gateways that
 * believe to run it, only one can write: the other one's next line has a place that is taken.
 */

import { isUniqueViolation } from "../../../../../lib/base/failure/outage.ts";
import type { Database } from "../../../../../lib/engines/store/postgres/open.ts";
import { type ExperimentEntry, ExperimentLedger } from "../../../../../lib/measuring/experiment/journal.ts";
import { journalAliveMs, journalBytesMax, journalLinesMax, journalRestLines } from "../../limits.ts";
import { checkStored } from "../../stored-bytes.ts";

/** Another gateway runs the experiment. */
export class TakenOver extends Error {}

/** Change numbers of an experiment: more than a journal has lines. */
const numbersPerSecond = 1_000_000;

interface JournalOrder {
  readonly id: string;
  readonly userHash: string;
  readonly bytesMax: number;
}

export class OpenJournal {
  readonly ledger = new ExperimentLedger();
  readonly #database: Database;
  readonly #order: JournalOrder;
  #entries = 0;
  #bytes = 0;
  #flushedMs = Number.NEGATIVE_INFINITY;
  #waiting: string[] = [];
  #flushing: Promise<void> = Promise.resolve();

  private constructor(database: Database, order: JournalOrder) {
    this.#database = database;
    this.#order = order;
  }

  static async open(database: Database, order: JournalOrder): Promise<OpenJournal> {
    const journal = new OpenJournal(database, order);
    for (const line of await readLines(database, order.id)) {
      journal.ledger.apply(JSON.parse(line) as ExperimentEntry);
      journal.#entries++;
      journal.#bytes += Buffer.byteLength(line);
    }
    return journal;
  }

  /** In effect at once; stored by the next `flush`. */
  write(entry: ExperimentEntry): void {
    this.ledger.apply(entry);
    this.#waiting.push(JSON.stringify(entry));
  }

  /**
   * A number for changes at the peering gateway: higher than those of all gateways that ran the experiment before, and
   * of experiments that began before.
   */
  get changeNumber(): number {
    return Math.floor((this.ledger.begun?.startMs ?? 0) / 1000) * numbersPerSecond + this.#entries;
  }

  /** Whether only the last lines fit. */
  get isFull(): boolean {
    return this.#entries > journalLinesMax - journalRestLines || this.#bytes > journalBytesMax;
  }

  /** Stores what was written, and now and then that it continues. Rejects with TakenOver, and with Problem 429. */
  flush(): Promise<void> {
    const flushed = this.#flushing.catch(() => {}).then(() => this.#flush());
    this.#flushing = flushed;
    return flushed;
  }

  async #flush(): Promise<void> {
    // More may be written meanwhile.
    const lines = [...this.#waiting];
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    if (lines.length === 0 && performance.now() - this.#flushedMs < journalAliveMs) {
      return;
    }
    const { id, userHash, bytesMax } = this.#order;
    const { sql, timed } = this.#database;
    try {
      await timed("experiment_continue", () =>
        sql.begin(async (tx) => {
          if (lines.length > 0) {
            await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
            await checkStored(tx, { userHash, bytes, bytesMax });
          }
          const kept = await tx`
            UPDATE experiments SET heard_at = now(), entries = entries + ${lines.length}, bytes = bytes + ${bytes}
            WHERE experiment_id = ${id} AND entries = ${this.#entries} AND ended_at IS NULL RETURNING 1`;
          if (kept.length === 0) {
            throw new TakenOver();
          }
          await tx`
            INSERT INTO experiment_entries (experiment_id, place, line)
            SELECT ${id}, ${this.#entries - 1} + place, line
            FROM unnest(${lines}::text[]) WITH ORDINALITY AS more (line, place)`;
        }),
      );
    } catch (error) {
      throw isUniqueViolation(error) ? new TakenOver() : error;
    }
    this.#flushedMs = performance.now();
    this.#waiting = this.#waiting.slice(lines.length);
    this.#entries += lines.length;
    this.#bytes += bytes;
  }
}

/** Lines of an experiment, in order. */
export async function readLines({ sql, timed }: Database, id: string): Promise<readonly string[]> {
  const rows = await timed(
    "experiment_lines",
    () => sql<{ line: string }[]>`
      SELECT line FROM experiment_entries WHERE experiment_id = ${id} ORDER BY place`,
  );
  return rows.map(({ line }) => line);
}
