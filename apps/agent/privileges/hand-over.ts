/**
 * Gives a folder and what is in it to a user, by root.
 *
 * Whoever owns the folder may have put links there, to have files of others given away. So each entry is opened without
 * following links, by way of its folder's own descriptor, and a file with a second name is left alone.
 */
import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from "node:fs";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Folders in one another: an agent makes one. */
const depthMax = 4;

export interface Owner {
  readonly uid: number;
  /** Null = as it is. */
  readonly gid: number | null;
}

/** The folder itself may be a link: its path is the operator's. Throws what the system says. */
export function handOver(path: string, owner: Owner, depth = 0): void {
  const folder = openSync(path, O_RDONLY | O_DIRECTORY | (depth === 0 ? 0 : O_NOFOLLOW));
  try {
    give(folder, owner);
    for (const entry of readdirSync(`/proc/self/fd/${folder}`, { withFileTypes: true })) {
      const own = `/proc/self/fd/${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < depthMax) {
        handOver(own, owner, depth + 1);
      } else if (entry.isFile()) {
        giveFile(own, owner);
      }
    }
  } finally {
    closeSync(folder);
  }
}

function giveFile(path: string, owner: Owner): void {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (fstatSync(file).nlink === 1) {
      give(file, owner);
    }
  } finally {
    closeSync(file);
  }
}

function give(descriptor: number, { uid, gid }: Owner): void {
  const now = fstatSync(descriptor);
  if (now.uid !== uid || (gid !== null && now.gid !== gid)) {
    fchownSync(descriptor, uid, gid ?? now.gid);
  }
}
