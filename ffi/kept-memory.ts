/**
 * Shared memory mapped to a file: what a thread writes is in the file at once, for every reader, and survives the
 * process, even after `kill -9`. It does not survive a machine crash, as it is never synced to disk.
 *
 * The buffer is that of a shared WebAssembly.Memory, which has pages of its own; mmap(2) with MAP_FIXED replaces them
 * with the file's pages. So it is a SharedArrayBuffer like any other, with Atomics, for all threads. Tried: Bun 1.4.5.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { errno, libc, pointerOf, SystemError } from "./libc.ts";
import { mapFixed, mapShared, protRead, protWrite } from "./linux-abi.ts";

const wasmPageBytes = 65_536;

/**
 * At least `bytes` of memory, in whole pages of 64 KiB: `content`, then zeros. An existing file is replaced
 * atomically, once the new one holds the content.
 *
 * Throws SystemError or the error of node:fs: no space on the disk, no permission, or a file system without
 * mmap.
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

/** Reserves all of it now: if the disk filled up later, a write would kill the process. */
function reserve(fd: number, bytes: number, path: string): void {
  const failure = libc().posix_fallocate(fd, 0, bytes);
  if (failure !== 0) {
    throw new SystemError(`keep ${bytes} bytes of memory in ${path}`, failure);
  }
}

/** At least `bytes` zeros in whole pages of 64 KiB, from a WebAssembly.Memory, which never moves. */
function pagedMemory(bytes: number): SharedArrayBuffer {
  const pages = Math.ceil(bytes / wasmPageBytes);
  const memory = new WebAssembly.Memory({ shared: true, initial: pages, maximum: pages });
  return memory.buffer as unknown as SharedArrayBuffer;
}

/**
 * Maps a descriptor, from its start, over memory aligned to pages of 4 KiB. Throws SystemError; `what` follows "map" in
 * its message.
 */
function mapOver(fd: number, bytes: Uint8Array, what: string): void {
  const access = protRead | protWrite;
  const got = libc().mmap(pointerOf(bytes), BigInt(bytes.length), access, mapShared | mapFixed, fd, 0);
  if (got === -1n) {
    throw new SystemError(`map ${what}`, errno());
  }
}
