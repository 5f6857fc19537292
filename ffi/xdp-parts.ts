/** Parts of AF_XDP sockets of both directions (Linux: Documentation/networking/af_xdp.rst). */
import { Clock } from "./clock.ts";
import { addressOf, check, errno, errnoNumbers, libc } from "./libc.ts";
import * as abi from "./linux-abi.ts";
import type { Link } from "./netlink/link.ts";

/** The smallest chunk of a socket's memory that the kernel accepts. */
export const xdpChunkBytes = 2048;
/** The kernel frees a queue some time after its last socket was closed, by us or by an earlier process. */
const busyTriesMax = 40;
const busyWaitUs = 5000;

/** Throws SystemError. */
export function openXdpSocket(): number {
  return check(libc().socket(abi.afXdp, abi.sockRaw | abi.sockCloexec, 0), "open an AF_XDP socket");
}

/** Throws SystemError. Keep the memory referenced as long as the socket. */
export function registerXdpMemory(fd: number, memory: Uint8Array): void {
  const registration = new DataView(new ArrayBuffer(abi.xdpUmem.bytes));
  registration.setBigUint64(abi.xdpUmem.address, addressOf(memory), true);
  registration.setBigUint64(abi.xdpUmem.length, BigInt(memory.length), true);
  registration.setUint32(abi.xdpUmem.chunkBytes, xdpChunkBytes, true);
  const bytes = new Uint8Array(registration.buffer);
  const result = libc().setsockopt(fd, abi.solXdp, abi.xdpUmemReg, bytes, bytes.length);
  check(result, "give memory to an AF_XDP socket");
}

/** Throws SystemError. */
export function setXdpOption(fd: number, option: number, value: number): void {
  check(libc().setsockopt(fd, abi.solXdp, option, Int32Array.of(value), 4), "set up an AF_XDP socket");
}

/** The offsets of a ring from XDP_MMAP_OFFSETS (`abi.xdpOffsets`), for XdpRing. Throws SystemError. */
export function xdpRingOffsets(fd: number): (ring: number) => DataView {
  const bytes = new Uint8Array(abi.xdpOffsets.bytes);
  const length = Int32Array.of(bytes.length);
  const result = libc().getsockopt(fd, abi.solXdp, abi.xdpMmapOffsets, bytes, length);
  check(result, "ask for the rings of an AF_XDP socket");
  return (ring) => new DataView(bytes.buffer, ring);
}

/** In copy mode. Throws SystemError: EBUSY when another socket has this queue. */
export function bindXdpSocket(fd: number, link: Link, queue: number): void {
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
