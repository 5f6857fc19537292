/**
 * Builds the executable that tests start as `vantage` (vantage-command.ts) into FOLDER, with the store's library beside
 * it: `bun tests/run/program.ts FOLDER`.
 */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fromPackage, libraryName } from "../../ffi/libchdb.ts";
import { buildExecutable } from "../build.ts";

const [folder = ""] = Bun.argv.slice(2);
const library = fromPackage();

mkdirSync(folder, { recursive: true });
await buildExecutable(join(folder, "vantage"));
if (library !== null) {
  symlinkSync(library, join(folder, libraryName));
}
