/**
 * The connection to one topic's file, opened at first use, and again after the disk has failed.
 *
 * SQLite calls are synchronous and short. A call that finds the file locked sleeps at most `lockWaitMs` inside SQLite;
 * longer waits are retries by `retried`, with the event loop free.
 */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makePrivate } from "../../../base/disk/private-file.ts";
import { BrokerError, type Topic } from "../broker.ts";
import { lockWaitMs, walBytes } from "./limits.ts";
import { createTables, prepareFile, schemaVersion, upgradeTables, versionOf } from "./log-schema.ts";
import { LogStatements } from "./log-statements.ts";
import { brokerErrorOf, isBusy, isReadOnly } from "./sqlite-error.ts";

export class LogConnection {
  readonly path: string;
  readonly #topic: string;
  readonly #giveUpMs: number;
  #open: { readonly database: Database; readonly statements: LogStatements } | null = null;

  /** Tries for locks for `giveUpMs`. */
  constructor(folder: string, topic: string, giveUpMs: number) {
    this.#topic = topic;
    this.#giveUpMs = giveUpMs;
    this.path = logPath(folder, topic);
  }

  /**
   * Reads the log, retried while it is locked.
   *
   * Rejects with BrokerError: `refused` when the topic is missing or the file is damaged, otherwise `unavailable`.
   */
  read<Result>(what: string, action: (log: LogStatements) => Result): Promise<Result> {
    return this.#retried(what, () => action(this.#connected().statements));
  }

  /** Runs one transaction, which is on disk when this resolves. */
  transaction<Result>(what: string, action: (log: LogStatements) => Result): Promise<Result> {
    return this.#retried(what, () => {
      const { database, statements } = this.#connected();
      database.run("BEGIN IMMEDIATE");
      try {
        const result = action(statements);
        database.run("COMMIT");
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
  }

  /** Checkpoints and truncates the write-ahead log, as far as current readers allow. */
  cutWriteAheadLog(): void {
    this.#open?.database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.database.close();
  }

  async #retried<Result>(what: string, attempt: () => Result): Promise<Result> {
    const giveUpAt = performance.now() + this.#giveUpMs;
    for (;;) {
      const wasOpen = this.#open !== null;
      try {
        return attempt();
      } catch (error) {
        if (isBusy(error) && performance.now() < giveUpAt) {
          await Bun.sleep(1 + Math.random() * 4);
          continue;
        }
        // A handle opened on a read-only file stays read-only, for readers; a new one may be writable by now.
        this.close();
        if (!(wasOpen && isReadOnly(error))) {
          throw brokerErrorOf(error, what);
        }
      }
    }
  }

  #connected(): { readonly database: Database; readonly statements: LogStatements } {
    this.#open ??= this.#connect();
    return this.#open;
  }

  #connect(): { readonly database: Database; readonly statements: LogStatements } {
    const missing = new BrokerError("refused", `Cannot use topic "${this.#topic}": it has not been created`);
    if (!existsSync(this.path)) {
      throw missing;
    }
    const database = openFile(this.path, false);
    try {
      const version = versionOf(database);
      if (version === 0) {
        throw missing;
      }
      if (version > schemaVersion) {
        throw new BrokerError(
          "refused",
          `Cannot use ${this.path}: it has log version ${version}, this program knows up to ${schemaVersion}`,
        );
      }
      if (version < schemaVersion) {
        database.run("BEGIN IMMEDIATE");
        upgradeTables(database);
        database.run("COMMIT");
      }
      return { database, statements: new LogStatements(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** Creates a topic's file when it is missing; several processes may do so at once. The folder must exist. */
export function createLog(folder: string, topic: Topic): void {
  const database = openFile(logPath(folder, topic.name), true);
  try {
    if (versionOf(database) === 0) {
      prepareFile(database);
      database.run("BEGIN IMMEDIATE");
      createTables(database, topic);
      database.run("COMMIT");
    }
  } finally {
    // Closing rolls back an open transaction.
    database.close();
  }
}

function logPath(folder: string, topic: string): string {
  return join(folder, `${topic}.log`);
}

function openFile(path: string, create: boolean): Database {
  if (create) {
    makePrivate(path);
  }
  const database = new Database(path, { readwrite: true, create });
  try {
    database.run(`PRAGMA busy_timeout = ${lockWaitMs}`);
    // A commit is on disk when it returns: power failures are survived too.
    database.run("PRAGMA synchronous = FULL");
    const pageBytes = database.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 4096;
    database.run(`PRAGMA wal_autocheckpoint = ${Math.round(walBytes / pageBytes)}`);
    database.run(`PRAGMA journal_size_limit = ${walBytes}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function rollBack(database: Database): void {
  if (database.inTransaction) {
    database.run("ROLLBACK");
  }
}
