/**
 * PostgreSQL in this process: PGlite (WebAssembly) on a directory, behind a socket that only this user can open, so
 * that the same client speaks to it as to a server.
 *
 * It does one thing at a time and has one session: its client must be a pool of one. Its files are embedded because
 * they are imported as files; the extension's archive is copied out, as PGlite reads that with node:fs, which does not
 * see what is inside an executable (Bun 1.4.5).
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Extension, PGlite } from "@electric-sql/pglite";
import initdbFile from "@electric-sql/pglite/initdb.wasm" with { type: "file" };
import dataFile from "@electric-sql/pglite/pglite.data" with { type: "file" };
import wasmFile from "@electric-sql/pglite/pglite.wasm" with { type: "file" };
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import gistFile from "../../../node_modules/@electric-sql/pglite/dist/btree_gist.tar.gz" with {
  type: "file",
};
import { lockDirectory } from "../directory-lock.ts";
import { DatabaseError } from "./database-error.ts";

export interface EmbeddedServer extends AsyncDisposable {
  /** Unix socket. */
  readonly path: string;
}

/** A connection that was lost may not be gone yet when its successor comes. */
const connectionsMax = 4;

/** Makes the directory when there is none. Rejects with DatabaseError `badAddress` when it cannot be used. */
export async function startEmbedded(directory: string): Promise<EmbeddedServer> {
  const home = resolve(directory);
  await using undo = new AsyncDisposableStack();
  try {
    undo.use(lockDirectory(home, "its database"));
    const runFolder = mkdtempSync(join(tmpdir(), "vantage-db-"));
    undo.defer(() => rmSync(runFolder, { recursive: true, force: true }));
    const engine = await openEngine(join(home, "pgdata"), runFolder);
    undo.defer(() => engine.close());
    const path = join(runFolder, "socket");
    const server = new PGLiteSocketServer({ db: engine, path, maxConnections: connectionsMax });
    await server.start();
    undo.defer(() => server.stop());
    chmodSync(path, 0o600);
    const owned = undo.move();
    return { path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseError("badAddress", `Cannot open the database pglite:${directory}: ${reason}`, {
      cause,
    });
  }
}

async function openEngine(dataDir: string, runFolder: string): Promise<PGlite> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const archive = join(runFolder, "btree_gist.tar.gz");
  writeFileSync(archive, await Bun.file(gistFile).bytes());
  const gist: Extension = {
    name: "btree_gist",
    setup: async () => ({ bundlePath: pathToFileURL(archive) }),
  };
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compiled(wasmFile), compiled(initdbFile)]);
  return PGlite.create({
    dataDir,
    pgliteWasmModule,
    initdbWasmModule,
    fsBundle: Bun.file(dataFile),
    extensions: { gist },
  });
}

async function compiled(file: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await Bun.file(file).arrayBuffer());
}
