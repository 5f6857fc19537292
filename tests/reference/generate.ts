/**
 * Writes docs/reference/api.md and the generated files of the SDKs: `npm run generate`.
 * It needs PostgreSQL. A test compares them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiIndex } from "./api-page.ts";
import { apiDocuments } from "./documents.ts";
import { sdkFiles } from "./sdk-files.ts";

const root = join(import.meta.dirname, "../..");

/** By path from the root. */
export async function referencePages(): Promise<Map<string, string>> {
  const documents = await apiDocuments();
  const sdk = await sdkFiles(documents["probing-gateway"]);
  return new Map([["docs/reference/api.md", apiIndex(documents)], ...sdk]);
}

if (import.meta.main) {
  for (const [path, text] of await referencePages()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  process.exit(0);
}
