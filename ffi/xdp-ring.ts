/**
 * A ring that an AF_XDP socket shares with the kernel: two u32 counters that only grow (and wrap), and a power of two
 * of descriptors. One side is ours, the other the kernel's (Documentation/networking/af_xdp.rst).
 */
import { type Pointer, toArrayBuffer } from "bun:ffi";
import { errno, libc, SystemError } from "./libc.ts";
import { mapPopulate, mapShared, protRead, protWrite, xdpRingOffset } from "./linux-abi.ts";

interface XdpRingMapping {
  readonly fd: number;
  /** The ring's offset for mmap. */
  readonly mapOffset: number;
  /** Offsets from XDP_MMAP_OFFSETS for this ring. */
  readonly offsets: DataView;
  readonly entries: number;
  readonly entryBytes: number;
}

export class XdpRing implements Disposable {
  /** The descriptors, as 32-bit words. */
  readonly words: Uint32Array;
  readonly mask: number;
  readonly #mapping: SharedMapping;
  readonly #producer: Int32Array;
  readonly #consumer: Int32Array;

  /** Throws SystemError. */
  constructor({ fd, mapOffset, offsets, entries, entryBytes }: XdpRingMapping) {
    const at = (field: number) => Number(offsets.getBigUint64(field, true));
    const descriptorsAt = at(xdpRingOffset.descriptors);
    this.#mapping = new SharedMapping(fd, mapOffset, descriptorsAt + entries * entryBytes, "an AF_XDP ring");
    const { buffer } = this.#mapping;
    this.#producer = new Int32Array(buffer, at(xdpRingOffset.producer), 1);
    this.#consumer = new Int32Array(buffer, at(xdpRingOffset.consumer), 1);
    this.words = new Uint32Array(buffer, descriptorsAt, (entries * entryBytes) / 4);
    this.mask = entries - 1;
  }

  /** Atomics order these with the descriptors, on every processor. */
  producer(): number {
    return Atomics.load(this.#producer, 0);
  }

  consumer(): number {
    return Atomics.load(this.#consumer, 0);
  }

  /** Entries produced and not yet consumed. */
  length(): number {
    return (this.producer() - this.consumer()) | 0;
  }

  /** Publishes that entries up to this count are filled. */
  produceTo(count: number): void {
    Atomics.store(this.#producer, 0, count);
  }

  /** Publishes that entries up to this count are read. */
  consumeTo(count: number): void {
    Atomics.store(this.#consumer, 0, count);
  }

  [Symbol.dispose](): void {
    this.#mapping[Symbol.dispose]();
  }
}

/** Memory that the kernel and this process share through a file descriptor (mmap(2)), as views of it. */
class SharedMapping implements Disposable {
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
