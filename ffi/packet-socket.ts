/**
 * The back end `packet`: an AF_PACKET socket and sendmmsg(2), straight from the hot path's memory (packet(7)).
 */
import type { FrameSender, SlotRun } from "./frame-sender.ts";
import type { Hotpath } from "./hotpath/hotpath.ts";
import * as at from "./hotpath/memory-layout.ts";
import { addressOf, check, errno, errnoNumbers, libc, SystemError } from "./libc.ts";
import {
  afPacket,
  iovec,
  mmsghdr,
  packetQdiscBypass,
  sockaddrLl,
  sockCloexec,
  sockRaw,
  solPacket,
  solSocket,
  soSndbuf,
} from "./linux-abi.ts";
import type { Link } from "./netlink/link.ts";

/** Twice the largest batch. Beyond it, sending waits for the device. */
const sendBufferBytes = 1 << 20;
const allSlots: SlotRun = { first: 0, count: at.batchProbesMax };

export class PacketSocket implements FrameSender {
  readonly backEnd = "packet";
  /** 0, as the kernel refuses frames that it cannot send. */
  readonly dropped = 0;
  readonly #fd: number;
  readonly #messages: Uint8Array;
  /** Referenced so that the memory that the kernel reads stays alive. */
  readonly #hotpath: Hotpath;

  /** Throws SystemError; without CAP_NET_RAW its message states the remedy. */
  constructor(hotpath: Hotpath, link: Link) {
    this.#hotpath = hotpath;
    this.#fd = openSocket();
    // Protocol 0: this socket receives nothing.
    const sockaddr = new Uint8Array(sockaddrLl.bytes);
    new DataView(sockaddr.buffer).setUint16(0, afPacket, true);
    new DataView(sockaddr.buffer).setInt32(sockaddrLl.ifindex, link.index, true);
    check(libc().bind(this.#fd, sockaddr, sockaddr.length), `bind a packet socket to ${link.name}`);
    // Probes are already paced here; a queueing discipline would only delay or silently drop them.
    this.#setOption(solPacket, packetQdiscBypass, 1);
    this.#setOption(solSocket, soSndbuf, sendBufferBytes);
    this.#messages = hotpath.bytes.subarray(
      at.messagesAt,
      at.messagesAt + at.batchProbesMax * at.messageBytes,
    );
    describeFrames(hotpath);
    // The kernel refuses what its interface does not take.
    hotpath.setPadding(0xffff_ffff);
  }

  /** The kernel copies before it returns. */
  freeSlots(): SlotRun {
    return allSlots;
  }

  send(first: number, count: number): number {
    const from = this.#messages.subarray(first * at.messageBytes);
    const sent = libc().sendmmsg(this.#fd, from, count, 0);
    return sent < 0 ? -errno() : sent;
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
    this.#hotpath.bytes.fill(0, at.messagesAt, at.messagesAt + at.batchProbesMax * at.messageBytes);
  }

  #setOption(level: number, option: number, value: number): void {
    const bytes = Int32Array.of(value);
    check(libc().setsockopt(this.#fd, level, option, bytes, bytes.byteLength), "set up a packet socket");
  }
}

function openSocket(): number {
  const fd = libc().socket(afPacket, sockRaw | sockCloexec, 0);
  if (fd < 0 && errno() === errnoNumbers.EPERM) {
    throw new SystemError(
      "open a raw socket without CAP_NET_RAW (run as root, or grant it)",
      errnoNumbers.EPERM,
    );
  }
  return check(fd, "open a packet socket");
}

/** Points each mmsghdr to its two iovecs, and these to its frame and to zeros; only lengths change from then on. */
function describeFrames(hotpath: Hotpath): void {
  const base = addressOf(hotpath.bytes);
  for (let slot = 0; slot < at.batchProbesMax; slot++) {
    const iovecAt = at.iovecsAt + slot * at.iovecBytes;
    const frameAt = at.framesAt + slot * at.frameSlotBytes + at.frameStartOffset;
    const messageAt = at.messagesAt + slot * at.messageBytes;
    hotpath.view.setBigUint64(iovecAt + iovec.base, base + BigInt(frameAt), true);
    hotpath.view.setBigUint64(iovecAt + at.iovecPaddingAt + iovec.base, base + BigInt(at.paddingAt), true);
    hotpath.view.setBigUint64(messageAt + mmsghdr.iov, base + BigInt(iovecAt), true);
    hotpath.view.setBigUint64(messageAt + mmsghdr.iovlen, 1n, true);
  }
}
