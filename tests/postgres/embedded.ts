/** Fresh directories of the embedded database: copies of one that was initialised once, which takes seconds. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../lib/engines/store/postgres/open.ts";

export interface EmbeddedHome extends Disposable {
  /** `pglite:DIRECTORY` */
  readonly address: string;
}

const root = join(import.meta.dirname, "../..");
const cacheFolder = join(root, "node_modules/.cache");

/** An empty database's address; its directory goes with it, so close the database before. */
export async function embeddedHome(): Promise<EmbeddedHome> {
  const files = await template();
  const directory = mkdtempSync(join(tmpdir(), "vantage-embedded-"));
  cpSync(files, directory, { recursive: true });
  return {
    address: `pglite:${directory}`,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function template(): Promise<string> {
  // The name holds the packages' versions, so an old one is not taken for a new one.
  const version = createHash("sha256")
    .update(readFileSync(join(root, "package.json")))
    .digest("hex");
  const folder = join(cacheFolder, `pglite-${version.slice(0, 12)}`);
  if (!existsSync(folder)) {
    await makeTemplate(folder);
  }
  return folder;
}

/** Under another name until it is complete: two who do this at once do not meet. */
async function makeTemplate(folder: string): Promise<void> {
  const making = mkdtempSync(`${folder}-`);
  try {
    const database = await openDatabase(`pglite:${making}`, { applicationName: "vantage test" });
    await database[Symbol.asyncDispose]();
    renameSync(making, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
