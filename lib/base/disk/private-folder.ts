/** Folders that only their owner can enter, below folders that everybody can pass. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder, 700, and what is missing above it, 755, whatever the umask: services that run as users of their
 * own share `/var/lib/vantage`. What is there keeps its mode. Throws a system error when it cannot be made.
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
