/** Builds the folder of `npm run build`, once for all that tests start as `vantage`: `bun tests/run/program.ts FOLDER`. */
import { mkdirSync } from "node:fs";
import { buildFolder } from "../build.ts";

const [folder = ""] = Bun.argv.slice(2);

mkdirSync(folder, { recursive: true });
await buildFolder(folder);
