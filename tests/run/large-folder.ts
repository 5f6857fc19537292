/** For what a test writes that is large: builds, releases. Other temporary folders of tests may lie in memory. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Name of the variable with the job's folder on disk. */
export const largeFolderVariable = "VANTAGE_TEST_LARGE";

/** A new folder; the test removes it. */
export function makeLargeFolder(prefix: string): string {
  return mkdtempSync(join(process.env[largeFolderVariable] ?? tmpdir(), prefix));
}
