/** Link-layer headers around IP packets, for each link type that agents meet. */
import { linkType } from "../../packet/link-layer.ts";
import { concat, u16, zeros } from "./bytes.ts";

const agentMac = [2, 0, 0, 0, 0, 1];
const gatewayMac = [2, 0, 0, 0, 0, 2];

export type Wrap = (packet: Uint8Array) => Uint8Array;

function etherType(packet: Uint8Array): number[] {
  return (packet[0] ?? 0) >> 4 === 4 ? [0x08, 0x00] : [0x86, 0xdd];
}

/** Ethernet, with VLAN tags given as [EtherType, tag], and padding to the 60 bytes that a wire asks for. */
export function ethernet(...tags: readonly (readonly [number, number])[]): Wrap {
  return (packet) => {
    const tagBytes = tags.flatMap(([type, tag]) => [...u16(type), ...u16(tag)]);
    const frame = concat(agentMac, gatewayMac, tagBytes, etherType(packet), packet);
    return concat(frame, zeros(Math.max(0, 60 - frame.length)));
  };
}

/** Any EtherType with any bytes behind. */
export function ethernetOther(type: number, payload: readonly number[]): Uint8Array {
  return concat(agentMac, gatewayMac, u16(type), payload);
}

const cooked: Wrap = (packet) => {
  return concat([0, 0, 0, 1, 0, 6], gatewayMac, zeros(2), etherType(packet), packet);
};

const cooked2: Wrap = (packet) => {
  return concat(etherType(packet), zeros(2), [0, 0, 0, 3, 0, 1, 0, 6], gatewayMac, zeros(2), packet);
};

/** Address family in the byte order of the machine; 2 is IPv4, 30 IPv6 (macOS). */
const loopback: Wrap = (packet) => {
  return concat([(packet[0] ?? 0) >> 4 === 4 ? 2 : 30, 0, 0, 0], packet);
};

export const ethernetLinkType = linkType.ethernet;

export const otherLinks: readonly (readonly [string, { readonly linkType: number; readonly wrap: Wrap }])[] =
  [
    ["raw", { linkType: linkType.raw, wrap: (packet) => packet }],
    ["cooked", { linkType: linkType.linuxSll, wrap: cooked }],
    ["cooked2", { linkType: linkType.linuxSll2, wrap: cooked2 }],
    ["loopback", { linkType: linkType.null, wrap: loopback }],
  ];
