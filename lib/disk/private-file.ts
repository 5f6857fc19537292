/** Files for nobody but their owner, also where what opens them (SQLite) would let the whole machine read. */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Of owner and group; others have no part in any folder of ours. */
const shared = 0o660;

/**
 * Makes the file, empty, if there is none: 600, or 660 in a folder that its owner has opened to the group. SQLite gives
 * the files beside it the same mode. What is wrong with the folder is said by who opens the file.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
    chmodSync(path, statSync(dirname(path)).mode & shared);
  } catch {
    // It is there, or cannot be.
  }
}

/** What this process makes from now on is for its owner alone, whoever makes it: databases, stores, journals. */
export function keepFilesPrivate(): void {
  process.umask(process.umask() | 0o077);
}
