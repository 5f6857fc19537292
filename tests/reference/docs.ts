/**
 * `npm run docs`: all pages into `dist/docs`, with those that are too long to be reviewed: every command, and the HTTP
 * API of each service.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root as commands } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { apiPage } from "./api-page.ts";
import { referencePage } from "./commands-reference.ts";
import { apiDocuments } from "./documents.ts";

const project = join(import.meta.dirname, "../..");

/** What was in the folder goes. */
export async function writeDocs(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(project, "docs"), folder, { recursive: true });
  writeFileSync(join(folder, "reference/commands.md"), `${referencePage(await describe(commands, ""))}\n`);
  mkdirSync(join(folder, "reference/api"));
  for (const [name, api] of Object.entries(await apiDocuments("pglite"))) {
    writeFileSync(join(folder, `reference/api/${name}.md`), apiPage(api));
  }
}

if (import.meta.main) {
  const folder = join(project, "dist/docs");
  await writeDocs(folder);
  process.stdout.write(`${folder}\n`);
  process.exit(0);
}
