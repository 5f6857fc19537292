/** Network interfaces as rtnetlink shows them (RTM_GETLINK). */
import { cString, SystemError } from "../libc.ts";
import { hardwareType, linkAttribute, linkFlagUp, messageType } from "./constants.ts";
import { decodeAttributes, encodeAttribute, type NetlinkMessage, readU32 } from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

export interface Link {
  readonly index: number;
  readonly name: string;
  /** `ethernet` frames start with a 14-byte header (loopback's too), `ip` frames with the IP header (TUN). */
  readonly layer: "ethernet" | "ip";
  readonly loopback: boolean;
  /** 6 bytes; zero where the interface has none. */
  readonly mac: Uint8Array;
  readonly mtuBytes: number;
  readonly up: boolean;
}

const linkBodyBytes = 16;
const macBytes = 6;
/** ERANGE is for a name longer than any interface can have. */
const absentErrors = ["ENODEV", "ENXIO", "EINVAL", "ERANGE"];

/** Finds an interface by name or index; null when this network namespace has no such interface. */
export function findLink(which: string | number): Link | null {
  using socket = new NetlinkSocket();
  const body = new Uint8Array(linkBodyBytes);
  const parts = [body];
  if (typeof which === "number") {
    new DataView(body.buffer).setInt32(4, which, true);
  } else {
    parts.push(encodeAttribute(linkAttribute.name, cString(which)));
  }
  try {
    const answer = socket.request(messageType.getLink, 0, parts)[0];
    return answer === undefined ? null : toLink(answer);
  } catch (error) {
    if (error instanceof SystemError && absentErrors.includes(error.errnoName)) {
      return null;
    }
    throw error;
  }
}

/** ifinfomsg: 0 family u8 | 2 type u16 | 4 index i32 | 8 flags u32 | 12 change u32 | attributes. */
function toLink(message: NetlinkMessage): Link {
  const view = new DataView(message.body.buffer, message.body.byteOffset, message.body.byteLength);
  const attributes = decodeAttributes(message.body.subarray(linkBodyBytes));
  const type = view.getUint16(2, true);
  const name = attributes.get(linkAttribute.name) ?? new Uint8Array();
  const mac = attributes.get(linkAttribute.address);
  return {
    index: view.getInt32(4, true),
    name: new TextDecoder().decode(name.subarray(0, Math.max(0, name.length - 1))),
    layer: type === hardwareType.ethernet || type === hardwareType.loopback ? "ethernet" : "ip",
    loopback: type === hardwareType.loopback,
    mac: mac?.length === macBytes ? mac.slice() : new Uint8Array(macBytes),
    mtuBytes: readU32(attributes.get(linkAttribute.mtu)) ?? 0,
    up: (view.getUint32(8, true) & linkFlagUp) !== 0,
  };
}
