/**
 * Writes what goes with a release: `bun tests/release/main.ts [FOLDER]`, dist unless FOLDER says otherwise.
 *
 *     vantage.cdx.json   what it is made of (sbom.ts)
 *     SHA256SUMS         of every file of the folder: `sha256sum -c SHA256SUMS`
 *
 * `npm run build` comes before, so that the executable is there.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumsName, checksumsOf } from "./checksums.ts";
import { sbomOf } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
const folder = Bun.argv[2] ?? join(root, "dist");

mkdirSync(folder, { recursive: true });
const sbom = sbomOf(root);
writeFileSync(join(folder, "vantage.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
const sums = await checksumsOf(folder);
writeFileSync(join(folder, checksumsName), sums);
const shipped = sbom.components.filter(({ scope }) => scope !== "excluded").length;
console.log(
  `${folder}: ${shipped} packages of ${sbom.components.length} are in it; ${sums.split("\n").length - 1} files`,
);
