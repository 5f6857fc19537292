/**
 * The back end `packet` on the loopback interface.
 *
 * Linux drops an IPv4 packet with a local source that arrives by AF_PACKET on `lo` as a martian (unless route_localnet
 * or accept_local is set), but not one from its own IP output. So IPv4 is sent through a raw IP socket with our header
 * (raw(7)), one call per packet; IPv6 has no such check.
 */
import type { FrameSender, SlotRun } from "./frame-sender.ts";
import { ethernetHeaderBytes, type Hotpath } from "./hotpath/hotpath.ts";
import * as at from "./hotpath/memory-layout.ts";
import { check, errno, libc } from "./libc.ts";
import { afInet, ipprotoRaw, sockaddrIn, sockCloexec, sockRaw } from "./linux-abi.ts";
import type { Link } from "./netlink/link.ts";
import { PacketSocket } from "./packet-socket.ts";

const etherTypeOffset = 12;
const etherTypeIpv4 = 0x0800;
const ipv4DestinationOffset = 16;
const ipv4AddressBytes = 4;

export class LoopbackSocket implements FrameSender {
  readonly backEnd = "packet";
  readonly dropped = 0;
  readonly #hotpath: Hotpath;
  readonly #packets: PacketSocket;
  readonly #fd: number;
  readonly #sockaddr = new Uint8Array(sockaddrIn.bytes);

  constructor(hotpath: Hotpath, link: Link) {
    this.#hotpath = hotpath;
    this.#packets = new PacketSocket(hotpath, link);
    this.#fd = check(libc().socket(afInet, sockRaw | sockCloexec, ipprotoRaw), "open a raw IP socket");
    new DataView(this.#sockaddr.buffer).setUint16(0, afInet, true);
  }

  freeSlots(): SlotRun {
    return this.#packets.freeSlots();
  }

  send(first: number, count: number): number {
    if (this.#isIpv4(first)) {
      return this.#sendIpv4(first);
    }
    let end = first + 1;
    while (end < first + count && !this.#isIpv4(end)) {
      end++;
    }
    return this.#packets.send(first, end - first);
  }

  [Symbol.dispose](): void {
    libc().close(this.#fd);
    this.#packets[Symbol.dispose]();
  }

  #isIpv4(slot: number): boolean {
    return this.#hotpath.view.getUint16(frameAt(slot) + etherTypeOffset) === etherTypeIpv4;
  }

  #sendIpv4(slot: number): number {
    const packet = this.#hotpath.frame(slot).subarray(ethernetHeaderBytes);
    const destination = packet.subarray(ipv4DestinationOffset, ipv4DestinationOffset + ipv4AddressBytes);
    this.#sockaddr.set(destination, sockaddrIn.address);
    const sent = libc().sendto(this.#fd, packet, packet.length, 0, this.#sockaddr, this.#sockaddr.length);
    return Number(sent) < 0 ? -errno() : 1;
  }
}

function frameAt(slot: number): number {
  return at.framesAt + slot * at.frameSlotBytes + at.frameStartOffset;
}
