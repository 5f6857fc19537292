/**
 * Writes the publishing progress of many measurements at a time to the database, and removes published files.
 *
 * Not awaited: the next start corrects a row that lags, from the progress on disk.
 */
import type { Sql, TransactionSql } from "postgres";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { ledgerRowsMax, publishRetryMs } from "../limits.ts";
import { endParts } from "../measurements/end-parts.ts";
import { lockForRefund, refundUnsent } from "../measurements/refunds.ts";
import type { Outcome, Outgoing } from "./outgoing.ts";
import type { SpoolFolder } from "./spool-folder.ts";

interface Published {
  /** The row: a measurement, or an addition to an open one. */
  readonly id: string;
  readonly published: number;
}

interface Entry extends Published {
  /** The whole measurement. */
  readonly measurementId: string;
  readonly outcome: Outcome;
  readonly spoolBytes: number;
}

export class MeasurementLedger implements AsyncDisposable {
  readonly #database: Database;
  readonly #folder: SpoolFolder;
  readonly #log: Logger;
  #entries: Entry[] = [];
  #writing: Promise<void> | null = null;
  #isClosing = false;

  constructor(database: Database, folder: SpoolFolder, log: Logger) {
    this.#database = database;
    this.#folder = folder;
    this.#log = log;
  }

  /** Marks its publishing as ended. Its file is removed once the database has it. */
  done({ id, measurementId, published, spoolBytes }: Outgoing, outcome: Outcome): void {
    this.#entries.push({ id, measurementId, published, outcome, spoolBytes });
    this.#writing ??= this.#writeAll();
  }

  /** Ends a measurement that cannot be published. */
  async fail(measurementId: string, error: string): Promise<void> {
    const ending = {
      measurementIds: [measurementId],
      agentId: null,
      status: "failed",
      error,
      isSettled: false,
    } as const;
    await this.#database.sql.begin((tx) => endParts(tx, ending));
  }

  /** Notes the progress of measurements that are being published. */
  async note(waiting: readonly Published[]): Promise<void> {
    if (waiting.length > 0) {
      await this.#database.timed("measurement_published", () => this.#update(this.#database.sql, waiting));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#entries.length > 0) {
      const some = this.#entries.slice(0, ledgerRowsMax);
      if (await this.#write(some)) {
        this.#entries = this.#entries.slice(some.length);
      } else if (this.#isClosing) {
        break;
      } else {
        await new Promise((resolve) => setTimeout(resolve, publishRetryMs));
      }
    }
    this.#writing = null;
  }

  async #write(entries: readonly Entry[]): Promise<boolean> {
    try {
      await this.#database.timed("measurement_published", () =>
        this.#database.sql.begin((tx) => this.#settle(tx, entries)),
      );
    } catch (error) {
      this.#log.error("Cannot note what is published; trying again", { measurements: entries.length, error });
      return false;
    }
    await Promise.all(entries.map(({ id }) => this.#folder.remove(id)));
    for (const { spoolBytes } of entries) {
      this.#folder.give(spoolBytes);
    }
    return true;
  }

  /** Refunds the unpublished probes of measurements that ended: they will never be published. */
  async #settle(tx: TransactionSql, entries: readonly Entry[]): Promise<void> {
    const ended = entries.filter(({ outcome }) => outcome === "ended");
    const wholes = [...new Set(ended.map(({ measurementId }) => measurementId))];
    if (ended.length > 0) {
      // With the rows below, so that all are locked in the common order.
      await lockForRefund(tx, [...new Set([...wholes, ...entries.map(({ id }) => id)])]);
    }
    await this.#update(tx, entries);
    if (ended.length > 0) {
      await tx`
        UPDATE measurements SET publishing_ended_at = coalesce(publishing_ended_at, now())
        WHERE measurement_id = ANY(${ended.map(({ id }) => id)}::uuid[])`;
      await refundUnsent(tx, wholes);
    }
  }

  async #update(sql: Sql | TransactionSql, rows: readonly Published[]): Promise<void> {
    const reported = rows.map(({ id, published }) => ({ id, published }));
    await sql`
      UPDATE measurements AS whole
      SET published_probes = greatest(whole.published_probes, way.published),
        published_at = CASE WHEN way.published >= whole.probes THEN coalesce(published_at, now()) END
      FROM (
        -- In the common lock order: else concurrent reports of agents would deadlock.
        SELECT measurement_id, published
        FROM measurements JOIN jsonb_to_recordset(${sql.json(reported)}) AS reported (id uuid, published bigint)
          ON measurement_id = reported.id
        ORDER BY measurement_id FOR UPDATE OF measurements
      ) AS way
      WHERE whole.measurement_id = way.measurement_id`;
  }
}
