/** A store's folder with all tables: a copy of the runner's, as to make them takes more CPU than most tests do. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { sharedPart } from "../../run/shared-part.ts";

/** Leaves nothing there where a file runs by itself: who opens the store migrates it anyway. */
export async function placeMigratedStore(folder: string): Promise<void> {
  const made = await sharedPart("store");
  if (made !== null) {
    mkdirSync(dirname(folder), { recursive: true });
    const { exitCode, stderr } = await runToEnd(["cp", "-a", made, folder]);
    if (exitCode !== 0) {
      throw new Error(stderr);
    }
  }
}
