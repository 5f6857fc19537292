/** How much room the disk of a folder has, by the system's own count. */
import { statfsSync } from "node:fs";

interface DiskRoom {
  /** Bytes that a process without special rights can still write. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** Throws the system's error when the folder does not exist. */
export function diskRoom(folder: string): DiskRoom {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
