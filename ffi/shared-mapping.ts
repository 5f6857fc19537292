/** Memory that the kernel and this process share through a file descriptor (mmap(2)), as views of it. */
import { type Pointer, toArrayBuffer } from "bun:ffi";
import { errno, libc, SystemError } from "./libc.ts";
import { mapPopulate, mapShared, protRead, protWrite } from "./linux-abi.ts";

export class SharedMapping implements Disposable {
  /** Valid until the mapping is disposed of: no view of it may be used after that. */
  readonly buffer: ArrayBuffer;
  readonly #address: bigint;

  /** Throws SystemError; `what` follows "map". */
  constructor(fd: number, offset: number, bytes: number, what: string) {
    const access = protRead | protWrite;
    this.#address = BigInt(libc().mmap(null, BigInt(bytes), access, mapShared | mapPopulate, fd, offset));
    if (this.#address === -1n) {
      throw new SystemError(`map ${what}`, errno());
    }
    this.buffer = toArrayBuffer(Number(this.#address) as Pointer, 0, bytes);
  }

  [Symbol.dispose](): void {
    libc().munmap(this.#address, BigInt(this.buffer.byteLength));
  }
}
