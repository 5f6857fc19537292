/** Builds the folder of `npm run build` once for all tests: `bun tests/run/program.ts FOLDER`. */
import { mkdirSync } from "node:fs";
import { buildFolder } from "../build.ts";

const [folder = ""] = Bun.argv.slice(2);

mkdirSync(folder, { recursive: true });
await buildFolder(folder);
