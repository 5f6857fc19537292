/** The files of a folder that services keep something in. A file of SQLite is copied as SQLite reads it. */
import { Database } from "bun:sqlite";
import {
  closeSync,
  createReadStream,
  type Dirent,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import type { CopiedFolder } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";
import type { FolderSource } from "./sources.ts";

/** Files of running processes, worthless to another one: locks, sockets, addresses, what is being written. */
const passing = [
  /^lock\.sqlite/,
  /^endpoint\.json$/,
  /^copy(\.path|-.*)$/,
  /^run$/,
  /^backup\.done$/,
  /^\.room-/,
  /\.new$/,
  /-(wal|shm|journal)$/,
];
const sqliteMagic = "SQLite format 3\0";

interface FolderOrder {
  readonly source: FolderSource;
  readonly parts: PartFiles;
  /** A folder for copies of SQLite files. */
  readonly work: string;
}

/** Links and special files are left out. A file that vanishes meanwhile is left out, too. */
export async function copyFolder(order: FolderOrder): Promise<CopiedFolder> {
  const { parts, source } = order;
  const { path: root, only, without } = source;
  const name = root.split(sep).filter(Boolean).join("-");
  const files: CopiedFolder["files"] = [];
  for (const path of only ?? filesBelow(root, "", without)) {
    const whole = join(root, path);
    try {
      const mode = statSync(whole).mode & 0o777;
      files.push({
        path,
        mode,
        part: await parts.write(`files/${name}/${path}`, contentOf(whole, order.work)),
      });
    } catch (error) {
      if (existsSync(whole)) {
        throw error;
      }
    }
  }
  return { from: root, files };
}

/** Paths relative to the root, in order. A single file is itself. */
function filesBelow(root: string, below: string, without: readonly string[]): string[] {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).sort(byName);
  return entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (without.includes(path) || passing.some((pattern) => pattern.test(entry.name))) {
      return [];
    }
    return entry.isDirectory() ? filesBelow(root, path, without) : entry.isFile() ? [path] : [];
  });
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

async function* contentOf(path: string, work: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (!isSqlite(path)) {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
    return;
  }
  const copy = join(work, `${crypto.randomUUID()}.sqlite`);
  const database = new Database(path, { readwrite: true });
  try {
    database.run("VACUUM INTO ?", [copy]);
  } finally {
    database.close();
  }
  try {
    yield* createReadStream(copy) as AsyncIterable<Uint8Array>;
  } finally {
    rmSync(copy, { force: true });
  }
}

function isSqlite(path: string): boolean {
  const head = Buffer.alloc(sqliteMagic.length);
  const file = openSync(path, "r");
  try {
    return readSync(file, head) === head.length && head.toString("latin1") === sqliteMagic;
  } finally {
    closeSync(file);
  }
}
