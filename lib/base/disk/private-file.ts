/** Files that only their owner can read, even where the library that opens them (SQLite) would let everybody read. */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Permissions of owner and group; others have no access to our folders. */
const shared = 0o660;

/**
 * Makes the file, empty, if there is none: 600, or 660 in a folder that its owner has opened to the group. SQLite gives
 * the files beside it the same mode. Problems with the folder are reported by the caller that opens the file.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
    chmodSync(path, statSync(dirname(path)).mode & shared);
  } catch {
    // It exists already, or cannot be created.
  }
}

/** From now on every file that this process makes is readable by its owner only: databases, stores, journals. */
export function keepFilesPrivate(): void {
  process.umask(process.umask() | 0o077);
}
