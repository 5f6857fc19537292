/** The kernel's neighbour table (ARP and neighbour discovery): reading an entry, asking for its resolution. */
import { type Address, familyOf } from "../../lib/ip/address.ts";
import { SystemError } from "../libc.ts";
import {
  afInet,
  afInet6,
  messageFlag,
  messageType,
  neighbourAttribute,
  neighbourFlagUse,
  neighbourState as state,
} from "./constants.ts";
import { decodeAttributes, encodeAttribute } from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

export type Neighbour =
  | { readonly status: "known"; readonly mac: Uint8Array }
  /** Not asked for yet, or being resolved. */
  | { readonly status: "pending" }
  /** The kernel asked and nobody answered. */
  | { readonly status: "failed" };

const neighbourBodyBytes = 12;
const usable = state.reachable | state.stale | state.delay | state.probe | state.noArp | state.permanent;

/** What the kernel knows of a neighbour now. */
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
 * Makes the kernel resolve a neighbour, as if it had a packet for it.
 *
 * Needs CAP_NET_ADMIN; returns false without it.
 */
export function askNeighbour(interfaceIndex: number, address: Address): boolean {
  using socket = new NetlinkSocket();
  try {
    const flags = messageFlag.create | messageFlag.replace;
    socket.request(messageType.newNeighbour, flags, [
      body(interfaceIndex, address, 0, neighbourFlagUse),
      destination(address),
    ]);
    return true;
  } catch (error) {
    if (error instanceof SystemError && error.errnoName === "EPERM") {
      return false;
    }
    throw error;
  }
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
