/**
 * PostgreSQL in this process: PGlite (WebAssembly) on a directory, behind a socket that only this user can open, so
 * that the same client speaks to it as to a server.
 *
 * It does one thing at a time and has one session: its client must be a pool of one. Its files are embedded because
 * they are imported as files; the extension's archive is copied out, as PGlite reads that with node:fs, which does not
 * see what is inside an executable (Bun 1.4.5).
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Extension, PGlite } from "@electric-sql/pglite";
import dataFile from "@electric-sql/pglite/pglite.data" with { type: "file" };
import wasmFile from "@electric-sql/pglite/pglite.wasm" with { type: "file" };
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import gistFile from "../../../../node_modules/@electric-sql/pglite/dist/btree_gist.tar.gz" with {
  type: "file",
};
import { lockDirectory } from "../../../base/disk/directory-lock.ts";
import { Failure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { serveCopies } from "./embedded-copy.ts";
import emptyCluster from "./empty-cluster.tar.zst" with { type: "file" };

export interface EmbeddedServer extends AsyncDisposable {
  /** Unix socket. */
  readonly path: string;
  /** The directory. */
  readonly home: string;
}

const socketName = "socket";
/** unix(7): 108 bytes with the zero at the end. */
const socketPathBytesMax = 107;
/** A lost connection may still be open when its successor comes. */
const connectionsMax = 4;

/** Creates a missing directory. Rejects with Failure `database` `badAddress` when it cannot be used. */
export async function startEmbedded(directory: string): Promise<EmbeddedServer> {
  const home = resolve(directory);
  await using undo = new AsyncDisposableStack();
  try {
    undo.use(lockDirectory(home, "its database"));
    const runFolder = makeRunFolder(home);
    undo.defer(() => rmSync(runFolder, { recursive: true, force: true }));
    const engine = await openCluster(home, runFolder);
    undo.defer(() => engine.close());
    const path = join(runFolder, socketName);
    const server = new PGLiteSocketServer({ db: engine, path, maxConnections: connectionsMax });
    await server.start();
    undo.defer(() => server.stop());
    chmodSync(path, 0o600);
    undo.use(serveCopies({ engine, home, runFolder }));
    const owned = undo.move();
    return { path, home, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Failure("database", "badAddress", `Cannot open the database pglite:${directory}: ${reason}`, {
      cause,
    });
  }
}

/**
 * A folder for the socket and other files that live as long as the process. It is in the directory, where the
 * next process removes it after a kill; elsewhere only when the socket's path would be too long for the
 * kernel.
 */
function makeRunFolder(home: string): string {
  const folder = join(home, "run");
  if (Buffer.byteLength(join(folder, socketName)) > socketPathBytesMax) {
    return mkdtempSync(join(tmpdir(), "vantage-db-"));
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * A new cluster is unpacked from a file made by initdb (tests/postgres/make-cluster.ts), as initdb takes 5 s
 * of a core. A cluster gets its name when it is complete: an interrupted one is made again.
 */
async function openCluster(home: string, runFolder: string): Promise<PGlite> {
  const cluster = join(home, "pgdata");
  if (!existsSync(cluster)) {
    const making = join(home, "pgdata-making");
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { mode: 0o700 });
    const packed = await Bun.file(emptyCluster).bytes();
    await new Bun.Archive(await Bun.zstdDecompress(packed)).extract(making);
    renameSync(making, cluster);
  }
  return openEngine(cluster, runFolder);
}

async function openEngine(dataDir: string, runFolder: string): Promise<PGlite> {
  const archive = join(runFolder, "btree_gist.tar.gz");
  writeFileSync(archive, await Bun.file(gistFile).bytes(), { mode: 0o600 });
  const gist: Extension = {
    name: "btree_gist",
    setup: async () => ({ bundlePath: pathToFileURL(archive) }),
  };
  return PGlite.create({
    dataDir,
    pgliteWasmModule: await compiledEngine(),
    fsBundle: Bun.file(dataFile),
    extensions: { gist },
  });
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** Compiles once per process; later databases reuse the code. */
function compiledEngine(): Promise<WebAssembly.Module> {
  compiled ??= Bun.file(wasmFile)
    .arrayBuffer()
    .then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}
