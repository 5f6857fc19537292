/** Folders that only their owner can enter, below folders that everyone can traverse. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the folder, 700, and missing parents, 755, whatever the umask: services that run as users of their own share
 * `/var/lib/vantage`. Existing folders keep their mode. Throws a system error when it cannot be created.
 */
export function makePrivateFolder(path: string, mode = 0o700): void {
  const umask = process.umask(0o022);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  } finally {
    process.umask(umask);
  }
  mkdirSync(path, { recursive: true, mode });
}
