/** The kernel's neighbour table (ARP and neighbour discovery): reading an entry, requesting its resolution. */
import { type Address, familyOf } from "../../lib/net/ip/address.ts";
import { check, libc, SystemError } from "../libc.ts";
import { afInet, afInet6, sockaddrIn, sockaddrIn6, sockCloexec, sockDgram } from "../linux-abi.ts";
import {
  messageFlag,
  messageType,
  neighbourAttribute,
  neighbourFlagUse,
  neighbourState as state,
} from "./constants.ts";
import { decodeAttributes, encodeAttribute } from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

type Neighbour =
  | { readonly status: "known"; readonly mac: Uint8Array }
  /** Not requested yet, or being resolved. */
  | { readonly status: "pending" }
  /** Resolution failed: no answer to the kernel's requests. */
  | { readonly status: "failed" };

const neighbourBodyBytes = 12;
const discardPort = 9;
const usable = state.reachable | state.stale | state.delay | state.probe | state.noArp | state.permanent;

/** The kernel's current entry for a neighbour. */
export function readNeighbour(interfaceIndex: number, address: Address): Neighbour {
  using socket = new NetlinkSocket();
  try {
    const parts = [body(interfaceIndex, address, 0, 0), destination(address)];
    const answer = socket.request(messageType.getNeighbour, 0, parts)[0];
    if (answer === undefined) {
      return { status: "pending" };
    }
    const flags = new DataView(answer.body.buffer, answer.body.byteOffset).getUint16(8, true);
    const mac = decodeAttributes(answer.body.subarray(neighbourBodyBytes)).get(
      neighbourAttribute.linkAddress,
    );
    if ((flags & usable) !== 0 && mac?.length === 6) {
      return { status: "known", mac: mac.slice() };
    }
    return { status: (flags & state.failed) !== 0 ? "failed" : "pending" };
  } catch (error) {
    if (error instanceof SystemError && error.errnoName === "ENOENT") {
      return { status: "pending" };
    }
    throw error;
  }
}

/**
 * Has the kernel resolve a neighbour, as if it had a packet for it; without CAP_NET_ADMIN, by sending one.
 */
export function askNeighbour(interfaceIndex: number, address: Address): void {
  using socket = new NetlinkSocket();
  try {
    const flags = messageFlag.create | messageFlag.replace;
    socket.request(messageType.newNeighbour, flags, [
      body(interfaceIndex, address, 0, neighbourFlagUse),
      destination(address),
    ]);
  } catch (error) {
    if (!(error instanceof SystemError) || error.errnoName !== "EPERM") {
      throw error;
    }
    sendDatagram(interfaceIndex, address);
  }
}

/** Sends one empty UDP datagram to the discard port (RFC 863); its fate does not matter. */
function sendDatagram(interfaceIndex: number, address: Address): void {
  const ipv4 = familyOf(address) === 4;
  const layout = ipv4 ? sockaddrIn : sockaddrIn6;
  const sockaddr = new Uint8Array(layout.bytes);
  const view = new DataView(sockaddr.buffer);
  view.setUint16(0, ipv4 ? afInet : afInet6, true);
  view.setUint16(layout.port, discardPort);
  sockaddr.set(ipv4 ? address.subarray(12) : address, layout.address);
  if (!ipv4) {
    view.setUint32(sockaddrIn6.scope, interfaceIndex, true);
  }
  const fd = check(libc().socket(ipv4 ? afInet : afInet6, sockDgram | sockCloexec, 0), "open a UDP socket");
  if (libc().connect(fd, sockaddr, sockaddr.length) === 0) {
    libc().send(fd, sockaddr, 0, 0);
  }
  libc().close(fd);
}

/** ndmsg: 0 family u8 | 4 interface i32 | 8 state u16 | 10 flags u8 | 11 type u8. */
function body(interfaceIndex: number, address: Address, stateBits: number, flags: number): Uint8Array {
  const bytes = new Uint8Array(neighbourBodyBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, familyOf(address) === 4 ? afInet : afInet6);
  view.setInt32(4, interfaceIndex, true);
  view.setUint16(8, stateBits, true);
  view.setUint8(10, flags);
  return bytes;
}

function destination(address: Address): Uint8Array {
  const bytes = familyOf(address) === 4 ? address.subarray(12) : address;
  return encodeAttribute(neighbourAttribute.destination, bytes);
}
