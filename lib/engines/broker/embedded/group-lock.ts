/**
 * The membership lock of a group at a topic: one member at a time, across processes.
 *
 * It is SQLite's exclusive lock on a separate file, so the kernel frees it the moment its holder dies: a successor
 * never waits for a timeout.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { makePrivate } from "../../../base/disk/private-file.ts";
import { BrokerError } from "../broker.ts";
import { groupGiveUpMs } from "./limits.ts";
import { brokerErrorOf, isBusy } from "./sqlite-error.ts";

/** Bytes of a file name, minus our additions. */
const encodedNameMax = 120;

export class GroupLock implements Disposable {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects with BrokerError `refused` when another member keeps the lock for longer than `groupGiveUpMs`. */
  static async take(folder: string, group: string, topic: string): Promise<GroupLock> {
    const name = encodeURIComponent(group);
    if (group === "" || name.length > encodedNameMax) {
      throw new BrokerError("refused", `Cannot join group "${group}": the name is empty or too long`);
    }
    const giveUpAt = performance.now() + groupGiveUpMs;
    for (;;) {
      const lock = GroupLock.#tryTake(join(folder, `${topic}.${name}.group`), group);
      if (lock !== null) {
        return lock;
      }
      if (performance.now() > giveUpAt) {
        throw new BrokerError(
          "refused",
          `Cannot join group "${group}": another member reads "${topic}" for it; a group of the embedded broker ` +
            "has one member",
        );
      }
      await Bun.sleep(20);
    }
  }

  static #tryTake(path: string, group: string): GroupLock | null {
    let database: Database | null = null;
    try {
      makePrivate(path);
      database = new Database(path, { readwrite: true, create: true });
      database.run("PRAGMA busy_timeout = 0");
      database.run("PRAGMA journal_mode = MEMORY");
      database.run("BEGIN EXCLUSIVE");
      return new GroupLock(database);
    } catch (error) {
      database?.close();
      if (isBusy(error)) {
        return null;
      }
      throw brokerErrorOf(error, `join group "${group}"`);
    }
  }

  [Symbol.dispose](): void {
    this.#database.run("ROLLBACK");
    this.#database.close();
  }
}
