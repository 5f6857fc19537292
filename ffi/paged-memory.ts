/** Shared memory on pages of its own, and mapping other pages over it (mmap(2) with MAP_FIXED). Bun 1.4.5. */
import { errno, libc, pointerOf, SystemError } from "./libc.ts";
import { mapFixed, mapShared, protRead, protWrite } from "./linux-abi.ts";

const wasmPageBytes = 65_536;

/** At least `bytes` zeros in whole pages of 64 KiB, from a WebAssembly.Memory, which never moves. */
export function pagedMemory(bytes: number): SharedArrayBuffer {
  const pages = Math.ceil(bytes / wasmPageBytes);
  const memory = new WebAssembly.Memory({ shared: true, initial: pages, maximum: pages });
  return memory.buffer as unknown as SharedArrayBuffer;
}

/**
 * Maps a descriptor, from its start, over memory that lies on whole pages of 4 KiB. Throws SystemError;
 * `what` follows "map" in its message.
 */
export function mapOver(fd: number, bytes: Uint8Array, what: string): void {
  const access = protRead | protWrite;
  const got = libc().mmap(pointerOf(bytes), BigInt(bytes.length), access, mapShared | mapFixed, fd, 0);
  if (got === -1n) {
    throw new SystemError(`map ${what}`, errno());
  }
}
