/** Writes docs/api.md and docs/api/SERVICE.md: `npm run generate`. It needs PostgreSQL. A test compares the pages. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiIndex, apiPage } from "./api-page.ts";
import { apiDocuments } from "./documents.ts";

const docs = join(import.meta.dirname, "../../docs");

/** By path below docs. */
export async function referencePages(): Promise<Map<string, string>> {
  const documents = await apiDocuments();
  const pages = Object.entries(documents).map(([name, api]) => [`api/${name}.md`, apiPage(api)] as const);
  return new Map([["api.md", apiIndex(documents)], ...pages]);
}

if (import.meta.main) {
  for (const [path, text] of await referencePages()) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  process.exit(0);
}
