/** Free space on a folder's disk, as the system reports it. */
import { statfsSync } from "node:fs";

interface DiskRoom {
  /** Bytes that an unprivileged process can still write. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Throws the system's error when the folder does not exist. */
export function diskRoom(folder: string): DiskRoom {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
