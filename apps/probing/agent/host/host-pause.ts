/**
 * The host's pause: a file in the agent's state folder, so that it survives restarts and works while the agent is
 * stopped. What the file holds is for people; that it exists is what counts.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../state-folder.ts";

function pausePath(stateDir: string): string {
  return join(stateDir, "paused-by-host");
}

/** When it was paused, ms since the epoch; null = not paused. A folder that cannot be read counts as paused. */
export function pausedAtMs(stateDir: string): number | null {
  try {
    return statSync(pausePath(stateDir)).mtimeMs;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : 0;
  }
}

/** Keeps the time of an earlier pause. Throws when the file cannot be written. */
export function pause(stateDir: string): void {
  if (pausedAtMs(stateDir) === null) {
    writeWhole(pausePath(stateDir), "Paused by the host. Resume: vantage agent resume");
  }
}

/** Throws when the file cannot be removed. */
export function resume(stateDir: string): void {
  rmSync(pausePath(stateDir), { force: true });
}
