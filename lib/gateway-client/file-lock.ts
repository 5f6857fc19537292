/**
 * A lock between processes, by a file: SQLite's exclusive lock, which is the kernel's. It ends with its process,
 * however that ends, so no stale lock has to be removed by hand.
 */
import { Database } from "bun:sqlite";
import { lockPollMs } from "./limits.ts";

/** Resolves when we have the lock; to null when another process keeps it for longer than `waitMs`. */
export async function lockFile(path: string, waitMs: number): Promise<Disposable | null> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== null || performance.now() > giveUpAt) {
      return lock;
    }
    await Bun.sleep(lockPollMs);
  }
}

function tryLock(path: string): Disposable | null {
  let database: Database | null = null;
  try {
    database = new Database(path, { create: true });
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY")) {
      return null;
    }
    throw error;
  }
}
