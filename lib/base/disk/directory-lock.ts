/**
 * Locks a directory for one process, by a kernel lock (through SQLite) on a file in it. The lock ends with
 * the process, however that ends, so no stale lock has to be removed by hand.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { systemReason } from "../failure/system-reason.ts";
import { makePrivate } from "./private-file.ts";
import { makePrivateFolder } from "./private-folder.ts";

const fileName = "lock.sqlite";
/** A killed process holds the lock until the kernel has freed its memory. */
const waitMs = 1_000;

/** Throws an Error, with the next step, when another process has the directory, or it cannot be written. */
export function lockDirectory(directory: string, what: string): Disposable {
  const path = join(directory, fileName);
  let database: Database | null = null;
  try {
    makePrivateFolder(directory);
    makePrivate(path);
    database = new Database(path, { create: true });
    database.run(`PRAGMA busy_timeout = ${waitMs}`);
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("BEGIN EXCLUSIVE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (cause) {
    database?.close();
    const isTaken = cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY";
    const reason = systemReason(cause);
    throw new Error(
      isTaken
        ? `Cannot use ${directory}: another process runs ${what} there; stop it, or choose another directory`
        : `Cannot use ${directory}: ${reason}`,
      { cause },
    );
  }
}
