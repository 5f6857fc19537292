/** Whether a folder's disk has room: tested by writing, so that quotas and read-only disks show too. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Room for a small measurement or a commit: with less, the next one fails. */
const roomBytes = 256 * 1024;
const content = new Uint8Array(roomBytes).fill(0x20);

/** Rejects with the system's error. Writes a new file each time: rewriting an existing one needs no space. */
export async function checkRoom(folder: string): Promise<void> {
  const path = join(folder, `.room-${crypto.randomUUID()}`);
  try {
    await writeFile(path, content, { mode: 0o600, flag: "wx" });
  } finally {
    await rm(path, { force: true });
  }
}
