/** Whether a folder's disk takes more: found out by writing, so that quotas and read-only disks show too. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a small measurement or a commit takes: with less room the next one fails. */
const roomBytes = 256 * 1024;
const content = new Uint8Array(roomBytes).fill(0x20);

/** Rejects with the system's error. The file is a new one each time: one that is there needs no room. */
export async function checkRoom(folder: string): Promise<void> {
  const path = join(folder, `.room-${crypto.randomUUID()}`);
  try {
    await writeFile(path, content, { mode: 0o600, flag: "wx" });
  } finally {
    await rm(path, { force: true });
  }
}
