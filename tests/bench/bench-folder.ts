/**
 * Where a bench has its files, and all that it starts: gone when the bench ends, also by SIGINT or SIGTERM.
 *
 * Processes of a bench make folders of their own in TMPDIR, and have no time to remove them when they are killed: so
 * TMPDIR is here.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning, treeOf } from "./pipeline/process-usage.ts";

/** A process that was killed ends within milliseconds; one that waits for a disk may take longer. */
const endMsMax = 5000;
const lookEveryMs = 10;

/** Its path. A short one: sockets of databases lie below it, and their paths have at most 107 bytes. */
export function makeBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vbench-"));
  // PostgreSQL works in it as a user of its own.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.once("SIGINT", () => endBy(130)).once("SIGTERM", () => endBy(143));
  return folder;
}

/** What still runs would write into the folder while it is being removed. */
function endBy(exitCode: number): never {
  const children = treeOf(process.pid).filter((pid) => pid !== process.pid);
  for (const pid of children) {
    kill(pid);
  }
  const untilMs = performance.now() + endMsMax;
  while (children.some(isRunning) && performance.now() < untilMs) {
    Bun.sleepSync(lookEveryMs);
  }
  process.exit(exitCode);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself, or belongs to another user's server that ends with its parent.
  }
}
