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
import { dirname, join, relative, sep } from "node:path";
import type { Contents, CopiedFolder } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";
import type { FolderSource } from "./source.ts";

const sqliteMagic = "SQLite format 3\0";

interface FolderOrder {
  readonly source: FolderSource;
  readonly parts: PartFiles;
  /** A folder for copies of SQLite files. */
  readonly work: string;
}

interface FolderCopy {
  readonly folder: CopiedFolder;
  /** What is in it, and not in the copy. */
  readonly leftOut: Contents["notIncluded"];
}

/** A file that vanishes meanwhile is left out; a link to a file becomes a file. */
export async function copyFolder({ source, parts, work }: FolderOrder): Promise<FolderCopy> {
  const { path: root, only, without } = source;
  const name = root.split(sep).filter(Boolean).join("-");
  // A backup may lie in a folder that it is of.
  const own = relative(root, parts.folder);
  const leftOut: Contents["notIncluded"] = [];
  const files: CopiedFolder["files"] = [];
  for (const path of only ?? filesBelow({ root, without: [...without, own], leftOut }, "")) {
    const whole = join(root, path);
    try {
      const mode = statSync(whole).mode & 0o777;
      files.push({ path, mode, part: await parts.write(`files/${name}/${path}`, contentOf(whole, work)) });
    } catch (error) {
      if (existsSync(whole)) {
        throw error;
      }
    }
  }
  const directories = only === null && files.length > 0 ? foldersOf(root, files) : [];
  return { folder: { from: root, directories, files }, leftOut };
}

/** Those of the files, with their modes: who else may read them, as a container's user. */
function foldersOf(root: string, files: CopiedFolder["files"]): CopiedFolder["directories"] {
  const paths = new Set(["."]);
  for (const { path } of files) {
    for (let above = dirname(path); !paths.has(above); above = dirname(above)) {
      paths.add(above);
    }
  }
  return [...paths].sort().flatMap((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, mode: found.mode & 0o777 }];
  });
}

interface Walk {
  readonly root: string;
  readonly without: readonly string[];
  readonly leftOut: Contents["notIncluded"];
}

/** Paths relative to the root, in order. */
function filesBelow(walk: Walk, below: string): string[] {
  const folder = join(walk.root, below);
  if (existsSync(join(folder, "pgdata"))) {
    walk.leftOut.push({ what: folder, why: "an embedded database: name its gateway or stack" });
    return [];
  }
  const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
  return entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (walk.without.includes(path) || isPassing(folder, entry.name)) {
      return [];
    }
    if (entry.isDirectory()) {
      return filesBelow(walk, path);
    }
    if (statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isFile() === true) {
      return [path];
    }
    walk.leftOut.push({ what: join(folder, entry.name), why: "a link to a folder, a socket or the like" });
    return [];
  });
}

/** Files of running processes, worthless to another one: locks, addresses, what SQLite has beside a file. */
function isPassing(folder: string, name: string): boolean {
  const beside = /^(.+)-(wal|shm|journal)$/.exec(name)?.[1];
  const isBeside = beside !== undefined && existsSync(join(folder, beside));
  return isBeside || /^(lock\.sqlite|endpoint\.json|backup\.done|\.room-.*)$/.test(name);
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
