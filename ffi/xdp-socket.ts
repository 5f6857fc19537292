/**
 * The back end `xdp`: an AF_XDP socket's transmit ring, by plain system calls (Linux:
 * Documentation/networking/af_xdp.rst).
 *
 * The frames in the hot path's memory are the socket's UMEM, so the kernel reads each where it was filled. In copy
 * mode, which every interface supports, sendto(2) takes frames off the ring and copies them to the driver before it
 * returns; the completion ring then lists them, and their slots are free. A socket owns one queue of an interface.
 * A frame is one piece within a chunk of the memory: those with a size are copied ahead of zeros in larger slots.
 * Nothing is received, so no program is loaded and other programs on the interface are not disturbed.
 */

import { Clock } from "./clock.ts";
import { batchFramesMax, type FrameSender, type SlotRun } from "./frame-sender.ts";
import { ethernetHeaderBytes, type Hotpath } from "./hotpath/hotpath.ts";
import * as at from "./hotpath/memory-layout.ts";
import { addressOf, check, errno, errnoNumbers, libc } from "./libc.ts";
import * as abi from "./linux-abi.ts";
import type { Link } from "./netlink/link.ts";
import { XdpRing } from "./xdp-ring.ts";

/** Holds all slots, and as many completions. */
const ringEntries = at.batchProbesMax;
/** Nothing is received, but the kernel requires a fill ring. */
const fillEntries = 64;
const batches = at.batchProbesMax / batchFramesMax;
/** The slots, and those with room for a size, as one piece. */
const umemBytes = at.paddedFramesAt + at.batchProbesMax * at.paddedSlotBytes - at.framesAt;
const paddedOffset = at.paddedFramesAt - at.framesAt;
const paddedFrameBytesMax = at.paddedSlotBytes - at.frameStartOffset;
/** Ethernet, IPv6, and the head of UDP or ICMP with the TTL behind it: what precedes the zeros is not longer. */
const headBytesMax = 14 + 40 + 19;

/** The smallest chunk of a socket's memory that the kernel accepts. */
const xdpChunkBytes = 2048;
/** The kernel frees a queue some time after its last socket was closed, by us or by an earlier process. */
const busyTriesMax = 40;
const busyWaitUs = 5000;

export class XdpSocket implements FrameSender {
  readonly backEnd = "xdp";
  dropped = 0;
  readonly #hotpath: Hotpath;
  readonly #place: { readonly link: Link; readonly queue: number };
  #fd = -1;
  #ring: XdpRing | null = null;
  #completions: XdpRing | null = null;
  /** Frames of each batch that the kernel has not returned. */
  readonly #pending = new Int32Array(batches);
  /** Their sum over all batches. */
  #awayInAll = 0;
  readonly #free = { first: 0, count: 0 };
  /** Frames on the ring that the kernel has not taken yet. */
  #waiting = 0;

  /** Throws SystemError: EBUSY when another socket has this queue, EPERM without CAP_NET_RAW. */
  constructor(hotpath: Hotpath, link: Link, queue: number) {
    this.#hotpath = hotpath;
    this.#place = { link, queue };
    this.#open();
    // The kernel would drop what the interface does not take, without a word.
    hotpath.setPadding(Math.min(paddedFrameBytesMax, ethernetHeaderBytes + link.mtuBytes));
  }

  freeSlots(): SlotRun {
    this.#reap();
    let first = 0;
    while (first < batches && this.#pending[first] !== 0) {
      first++;
    }
    let end = first;
    while (end < batches && this.#pending[end] === 0) {
      end++;
    }
    this.#free.first = first * batchFramesMax;
    this.#free.count = (end - first) * batchFramesMax;
    return this.#free;
  }

  send(first: number, count: number): number {
    if (this.#waiting !== count && this.#waiting !== 0) {
      // The caller skipped the first frame on the ring, and frames cannot be removed from it.
      this.#openAgain();
    }
    // Most batches have no size, and remember nothing: then no frame is read again.
    const hasPadding = this.#hotpath.tcpCount() > 0 && this.#pad(first, count);
    if (this.#waiting === 0) {
      this.#enqueue(first, count, hasPadding);
    }
    return this.#kick();
  }

  [Symbol.dispose](): void {
    this.#ring?.[Symbol.dispose]();
    this.#completions?.[Symbol.dispose]();
    libc().close(this.#fd);
  }

  /** Copies frames with a size ahead of zeros, those on the ring too, as they were filled again; true if any is. */
  #pad(first: number, count: number): boolean {
    const { bytes } = this.#hotpath;
    let hasPadding = false;
    for (let slot = first; slot < first + count; slot++) {
      if (this.#length(slot, at.iovecPaddingLengthAt) > 0) {
        hasPadding = true;
        const head = this.#length(slot, at.iovecLengthAt);
        const from = at.framesAt + slot * at.frameSlotBytes + at.frameStartOffset;
        const to = at.paddedFramesAt + slot * at.paddedSlotBytes + at.frameStartOffset;
        bytes.copyWithin(to, from, from + head);
        bytes.fill(0, to + head, to + headBytesMax);
      }
    }
    return hasPadding;
  }

  #length(slot: number, of: number): number {
    return this.#hotpath.view.getUint32(at.iovecsAt + slot * at.iovecBytes + of, true);
  }

  #enqueue(first: number, count: number, hasPadding: boolean): void {
    const ring = this.#ring;
    if (ring === null) {
      return;
    }
    const { words, mask } = ring;
    const { view } = this.#hotpath;
    const producer = ring.producer();
    for (let i = 0; i < count; i++) {
      const slot = first + i;
      const word = ((producer + i) & mask) * 4;
      // The upper half of the address and the options stay 0, as the kernel set them.
      words[word] = slot * at.frameSlotBytes + at.frameStartOffset;
      words[word + 2] = view.getUint32(at.iovecsAt + slot * at.iovecBytes + at.iovecLengthAt, true);
      if (hasPadding) {
        const padding = this.#length(slot, at.iovecPaddingLengthAt);
        words[word] = padding > 0 ? paddedAddress(slot) : (words[word] ?? 0);
        words[word + 2] = (words[word + 2] ?? 0) + padding;
      }
    }
    ring.produceTo((producer + count) | 0);
    this.#waiting = count;
    const batch = Math.floor(first / batchFramesMax);
    this.#pending[batch] = (this.#pending[batch] ?? 0) + count;
    this.#awayInAll += count;
  }

  /** Makes the kernel take frames off the ring; returns how many it took, or a negative errno. */
  #kick(): number {
    const result = libc().send(this.#fd, null, 0, abi.msgDontwait);
    const reason = Number(result) < 0 ? errno() : 0;
    const left = this.#ring?.length() ?? 0;
    const taken = this.#waiting - left;
    this.#waiting = left;
    if (reason === errnoNumbers.EBUSY) {
      // The driver dropped the last frame that was taken.
      this.dropped++;
      return taken;
    }
    return taken > 0 ? taken : -(reason || errnoNumbers.EAGAIN);
  }

  #reap(): void {
    const ring = this.#completions;
    if (ring === null) {
      return;
    }
    const { words, mask } = ring;
    const end = ring.producer();
    let next = ring.consumer();
    if (((end - next) | 0) === this.#awayInAll) {
      // The usual case: all are back, so there is no need to find which.
      this.#pending.fill(0);
      next = end;
      this.#awayInAll = 0;
    }
    for (; next !== end; next = (next + 1) | 0) {
      const batch = Math.floor(slotOf(words[(next & mask) * 2] ?? 0) / batchFramesMax);
      this.#pending[batch] = (this.#pending[batch] ?? 0) - 1;
      this.#awayInAll--;
    }
    ring.consumeTo(end);
  }

  #openAgain(): void {
    this[Symbol.dispose]();
    this.#open();
  }

  #open(): void {
    const { link, queue } = this.#place;
    this.#pending.fill(0);
    this.#awayInAll = 0;
    this.#waiting = 0;
    this.#fd = openXdpSocket();
    try {
      const frames = this.#hotpath.bytes.subarray(at.framesAt, at.framesAt + umemBytes);
      registerXdpMemory(this.#fd, frames);
      setXdpOption(this.#fd, abi.xdpUmemFillRing, fillEntries);
      setXdpOption(this.#fd, abi.xdpUmemCompletionRing, ringEntries);
      setXdpOption(this.#fd, abi.xdpTxRing, ringEntries);
      // Older kernels ignore this and take 32 frames per call, so a batch needs two calls.
      libc().setsockopt(this.#fd, abi.solXdp, abi.xdpMaxTxSkbBudget, Int32Array.of(batchFramesMax), 4);
      this.#mapRings();
      bindXdpSocket(this.#fd, link, queue);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  #mapRings(): void {
    const offsets = xdpRingOffsets(this.#fd);
    this.#ring = new XdpRing({
      fd: this.#fd,
      mapOffset: abi.xdpPgoffTxRing,
      offsets: offsets(abi.xdpOffsets.tx),
      entries: ringEntries,
      entryBytes: abi.xdpDescriptor.bytes,
    });
    this.#completions = new XdpRing({
      fd: this.#fd,
      mapOffset: abi.xdpUmemPgoffCompletionRing,
      offsets: offsets(abi.xdpOffsets.completion),
      entries: ringEntries,
      entryBytes: 8,
    });
  }
}

function paddedAddress(slot: number): number {
  return paddedOffset + slot * at.paddedSlotBytes + at.frameStartOffset;
}

function slotOf(address: number): number {
  return address < paddedOffset
    ? Math.floor(address / at.frameSlotBytes)
    : Math.floor((address - paddedOffset) / at.paddedSlotBytes);
}

/** Throws SystemError. */
function openXdpSocket(): number {
  return check(libc().socket(abi.afXdp, abi.sockRaw | abi.sockCloexec, 0), "open an AF_XDP socket");
}

/** Throws SystemError. Keep the memory referenced as long as the socket. */
function registerXdpMemory(fd: number, memory: Uint8Array): void {
  const registration = new DataView(new ArrayBuffer(abi.xdpUmem.bytes));
  registration.setBigUint64(abi.xdpUmem.address, addressOf(memory), true);
  registration.setBigUint64(abi.xdpUmem.length, BigInt(memory.length), true);
  registration.setUint32(abi.xdpUmem.chunkBytes, xdpChunkBytes, true);
  const bytes = new Uint8Array(registration.buffer);
  const result = libc().setsockopt(fd, abi.solXdp, abi.xdpUmemReg, bytes, bytes.length);
  check(result, "register memory with an AF_XDP socket");
}

/** Throws SystemError. */
function setXdpOption(fd: number, option: number, value: number): void {
  check(libc().setsockopt(fd, abi.solXdp, option, Int32Array.of(value), 4), "set up an AF_XDP socket");
}

/** The offsets of a ring from XDP_MMAP_OFFSETS (`abi.xdpOffsets`), for XdpRing. Throws SystemError. */
function xdpRingOffsets(fd: number): (ring: number) => DataView {
  const bytes = new Uint8Array(abi.xdpOffsets.bytes);
  const length = Int32Array.of(bytes.length);
  const result = libc().getsockopt(fd, abi.solXdp, abi.xdpMmapOffsets, bytes, length);
  check(result, "get the ring offsets of an AF_XDP socket");
  return (ring) => new DataView(bytes.buffer, ring);
}

/** In copy mode. Throws SystemError: EBUSY when another socket has this queue. */
function bindXdpSocket(fd: number, link: Link, queue: number): void {
  const address = new DataView(new ArrayBuffer(abi.sockaddrXdp.bytes));
  address.setUint16(0, abi.afXdp, true);
  address.setUint16(2, abi.xdpCopy, true);
  address.setUint32(abi.sockaddrXdp.ifindex, link.index, true);
  address.setUint32(abi.sockaddrXdp.queue, queue, true);
  const bytes = new Uint8Array(address.buffer);
  let result = libc().bind(fd, bytes, bytes.length);
  for (let tries = 0; result < 0 && errno() === errnoNumbers.EBUSY && tries < busyTriesMax; tries++) {
    new Clock().sleepUs(busyWaitUs);
    result = libc().bind(fd, bytes, bytes.length);
  }
  check(result, `bind an AF_XDP socket to queue ${queue} of ${link.name}`);
}
