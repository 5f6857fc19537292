/**
 * What tests start as `vantage`: the one executable, which the runner builds once for all steps, as it starts with a
 * fifth of the CPU that the sources take; the sources, where a test file runs by itself.
 */
import { join } from "node:path";

/** Name of the variable by which the runner says where the executable is. */
export const programVariable = "VANTAGE_TEST_PROGRAM";

const built = process.env[programVariable];
const source = join(import.meta.dirname, "../../apps/vantage.ts");

/** Followed by the command's words. */
export const vantageCommand: readonly string[] =
  built === undefined || built === "" ? [process.execPath, source] : [built];
