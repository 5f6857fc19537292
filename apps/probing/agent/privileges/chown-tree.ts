/**
 * Changes the owner of a folder and its contents, as root.
 *
 * The folder's owner may have planted links there to gain files of others. So each entry is opened without following
 * links, through its folder's own descriptor, and a file with a second hard link is skipped.
 */
import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from "node:fs";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Nested folders: an agent makes one level. */
const depthMax = 4;

interface FileOwner {
  readonly uid: number;
  /** Null = unchanged. */
  readonly gid: number | null;
}

/** The folder itself may be a link: the operator chose its path. Throws the system's error. */
export function chownTree(path: string, owner: FileOwner, depth = 0): void {
  const folder = openSync(path, O_RDONLY | O_DIRECTORY | (depth === 0 ? 0 : O_NOFOLLOW));
  try {
    give(folder, owner);
    for (const entry of readdirSync(`/proc/self/fd/${folder}`, { withFileTypes: true })) {
      const own = `/proc/self/fd/${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < depthMax) {
        chownTree(own, owner, depth + 1);
      } else if (entry.isFile()) {
        giveFile(own, owner);
      }
    }
  } finally {
    closeSync(folder);
  }
}

function giveFile(path: string, owner: FileOwner): void {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (fstatSync(file).nlink === 1) {
      give(file, owner);
    }
  } finally {
    closeSync(file);
  }
}

function give(descriptor: number, { uid, gid }: FileOwner): void {
  const now = fstatSync(descriptor);
  if (now.uid !== uid || (gid !== null && now.gid !== gid)) {
    fchownSync(descriptor, uid, gid ?? now.gid);
  }
}
