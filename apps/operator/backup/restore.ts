/** Writes one part of a backup to its target, which is empty. */

import { chmodSync, existsSync, lchownSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { logFile } from "../../../lib/engines/broker/embedded/copy-log.ts";
import { restoreDatabase } from "./database-restore.ts";
import { makeVolumes } from "./in-containers.ts";
import { schemas } from "./make-backup.ts";
import type { Part } from "./manifest.ts";
import { openStoreAt, openToWrite } from "./open-engines.ts";
import type { PartFiles } from "./part-files.ts";
import type { Target } from "./restore-targets.ts";
import { restoreStore } from "./store-restore.ts";

/** Rejects with the reason; the target is then partly written. */
export async function restoreTo(target: Target, parts: PartFiles): Promise<void> {
  const folder = folderOf(target);
  if (folder !== null) {
    makeVolumes(folder);
  }
  const owner = folder === null ? null : ownerOf(folder);
  await write(target, parts);
  if (folder !== null && owner !== null) {
    give(folder, owner);
  }
}

async function write(target: Target, parts: PartFiles): Promise<void> {
  switch (target.kind) {
    case "database": {
      await using database = await openToWrite(target.address);
      await restoreDatabase({ copy: target.copy, database, schema: schemas[target.copy.name], parts });
      return;
    }
    case "store": {
      await using store = await openStoreAt(target.address, "fill");
      await restoreStore(target.copy, store, parts);
      return;
    }
    case "broker":
      for (const { topic, part } of target.copy.topics) {
        await writeFile(logFile(target.folder, topic), parts, part, 0o600);
      }
      return;
    case "folder":
      for (const { path, part, mode } of target.copy.files) {
        await writeFile(join(target.folder, path), parts, part, mode);
      }
      for (const { path, mode } of target.copy.directories) {
        chmodSync(join(target.folder, path), mode);
      }
  }
}

async function writeFile(path: string, parts: PartFiles, part: Part, mode: number): Promise<void> {
  makePrivateFolder(dirname(path));
  const handle = await open(path, "wx", 0o600);
  try {
    for await (const chunk of parts.read(part)) {
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  chmodSync(path, mode);
}

/** Null for a server. */
function folderOf(target: Target): string | null {
  if ("folder" in target) {
    return target.folder;
  }
  return embeddedFolder(target.kind, target.address);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** As root: of the folder, or of the nearest one above that exists; null = they stay the caller's. */
function ownerOf(folder: string): Owner | null {
  if (process.getuid?.() !== 0) {
    return null;
  }
  const { uid, gid } = statSync(existing(folder));
  return uid === 0 ? null : { uid, gid };
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder));
}

function give(path: string, { uid, gid }: Owner): void {
  lchownSync(path, uid, gid);
  for (const entry of statSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : []) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) {
      give(below, { uid, gid });
    } else {
      lchownSync(below, uid, gid);
    }
  }
}
