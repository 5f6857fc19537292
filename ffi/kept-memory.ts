/**
 * Shared memory whose pages are those of a file: what a thread has written there is in the file at once, for every
 * reader, and outlives the process, `kill -9` too. It does not outlive the machine: nothing forces it to the disk.
 *
 * The buffer is that of a shared WebAssembly.Memory, which lies on pages of its own; mmap(2) with MAP_FIXED puts the
 * file's pages in their place. So it is a SharedArrayBuffer as any other, with Atomics, for all threads. Bun 1.4.5.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { libc, SystemError } from "./libc.ts";
import { mapOver, pagedMemory } from "./paged-memory.ts";

/**
 * At least `bytes` of memory, whole pages of 64 KiB: `content`, and zeros behind it. A file that is there is replaced
 * in one step, once the new one holds the content.
 *
 * Throws SystemError or the error of node:fs: no room on the disk, no right, or a file system that maps no files.
 */
export function keptMemory(path: string, bytes: number, content?: Uint8Array): SharedArrayBuffer {
  const buffer = pagedMemory(bytes);
  const size = buffer.byteLength;
  const making = `${path}.new`;
  const fd = openSync(making, "w+", 0o600);
  try {
    reserve(fd, size, path);
    if (content !== undefined) {
      writeSync(fd, content, 0, Math.min(content.length, size), 0);
    }
    mapOver(fd, new Uint8Array(buffer), path);
    renameSync(making, path);
    return buffer;
  } catch (error) {
    rmSync(making, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** All of it now: a disk that is full later would end the process at a write. */
function reserve(fd: number, bytes: number, path: string): void {
  const failure = libc().posix_fallocate(fd, 0, bytes);
  if (failure !== 0) {
    throw new SystemError(`keep ${bytes} bytes of memory in ${path}`, failure);
  }
}
