/**
 * An AF_PACKET socket that receives and sends whole Ethernet frames of one interface, one for each call.
 *
 * It is made for a peer that answers by program (the lab); probes leave through the batching socket of the
 * sender. `struct sockaddr_ll` is 20 bytes: family u16 host order, protocol u16 network order, ifindex i32 host
 * order, 12 bytes unused here. packet(7).
 */
import { check, errno, errnoNumbers, libc, SystemError } from "../../ffi/libc.ts";
import {
  afPacket,
  ethPAllNetworkOrder,
  packetIgnoreOutgoing,
  pollin,
  sockaddrLl,
  sockCloexec,
  sockNonblock,
  sockRaw,
  solPacket,
  solSocket,
  soRcvbuf,
  soRcvbufforce,
} from "../../ffi/linux-abi.ts";
import { findLink } from "../../ffi/netlink/link.ts";

/** 200,000 frames, as many as a bench's campaign has: a frame costs under 1 KiB of it, and only while it waits. */
const receiveBufferBytes = 200 << 20;

export class FrameSocket implements Disposable {
  readonly #fd: number;
  readonly #pollEntry: Int32Array;

  private constructor(fd: number) {
    this.#fd = fd;
    this.#pollEntry = Int32Array.of(fd, pollin);
  }

  /** Throws SystemError: EPERM without CAP_NET_RAW, ENODEV when there is no interface of this name. */
  static open(interfaceName: string): FrameSocket {
    const link = findLink(interfaceName);
    if (link === null) {
      throw new SystemError(`find interface "${interfaceName}"`, errnoNumbers.ENODEV);
    }
    const action = `open a packet socket on "${interfaceName}"`;
    // Protocol 0 receives nothing, so no frame of another interface slips in before bind.
    const fd = check(libc().socket(afPacket, sockRaw | sockNonblock | sockCloexec, 0), action);
    const socket = new FrameSocket(fd);
    try {
      socket.#configure(link.index, action);
    } catch (error) {
      socket[Symbol.dispose]();
      throw error;
    }
    return socket;
  }

  #configure(index: number, action: string): void {
    check(libc().setsockopt(this.#fd, solPacket, packetIgnoreOutgoing, Int32Array.of(1), 4), action);
    const size = Int32Array.of(receiveBufferBytes);
    if (libc().setsockopt(this.#fd, solSocket, soRcvbufforce, size, 4) < 0) {
      // Only the root of the machine may exceed net.core.rmem_max: others get what that allows.
      check(libc().setsockopt(this.#fd, solSocket, soRcvbuf, size, 4), action);
    }
    const address = new Uint8Array(sockaddrLl.bytes);
    const view = new DataView(address.buffer);
    view.setUint16(0, afPacket, true);
    view.setUint16(sockaddrLl.protocol, ethPAllNetworkOrder, true);
    view.setInt32(sockaddrLl.ifindex, index, true);
    check(libc().bind(this.#fd, address, address.length), action);
  }

  /** Copies the next frame, cut at the length of `frame`; returns its bytes, 0 = none waiting. */
  read(frame: Uint8Array): number {
    const bytes = Number(libc().recv(this.#fd, frame, frame.length, 0));
    if (bytes >= 0) {
      return bytes;
    }
    const reason = errno();
    if (reason === errnoNumbers.EAGAIN || reason === errnoNumbers.EINTR) {
      return 0;
    }
    throw new SystemError("receive from a packet socket", reason);
  }

  /** Sends one frame; false when the interface is down or its queue is full. */
  write(frame: Uint8Array): boolean {
    return Number(libc().send(this.#fd, frame, frame.length, 0)) === frame.length;
  }

  /** Blocks until a frame waits or `timeoutMs` passed; true = a frame waits. */
  wait(timeoutMs: number): boolean {
    this.#pollEntry[1] = pollin;
    return libc().poll(this.#pollEntry, 1, timeoutMs) > 0;
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
  }
}
