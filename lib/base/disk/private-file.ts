/**
 * Files that only their owner can read, even if the library that opens them (SQLite) would make them world-readable.
 */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Permissions of owner and group; others have no access to our folders. */
const shared = 0o660;

/**
 * Creates the file, empty, if it does not exist: 600, or 660 in a folder that its owner has opened to the group. SQLite
 * gives its auxiliary files the same mode. Problems with the folder are reported by the caller that opens the file.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
    chmodSync(path, statSync(dirname(path)).mode & shared);
  } catch {
    // It exists already, or cannot be created.
  }
}

/** From now on every file that this process creates is readable by its owner only: databases, stores, journals. */
export function keepFilesPrivate(): void {
  process.umask(process.umask() | 0o077);
}
