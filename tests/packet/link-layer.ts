/**
 * Finds the IP packet inside a captured frame, for the link types that agents meet.
 *
 * Numbers are those of pcap files (LINKTYPE_*); 12 and 14 are what some systems write for raw IP.
 *
 *     ETHERNET   dst 6 | src 6 | EtherType 2, with up to two VLAN tags (4 bytes each) before the EtherType
 *     LINUX_SLL  16 bytes, EtherType at 14        LINUX_SLL2  20 bytes, EtherType at 0
 *     NULL, LOOP 4 bytes of address family        RAW, IPV4, IPV6  nothing
 */
import { vlanTagsMax } from "../../ffi/capture-filter.ts";

export const linkType = {
  null: 0,
  ethernet: 1,
  rawBsd: 12,
  rawOpenBsd: 14,
  raw: 101,
  loop: 108,
  linuxSll: 113,
  ipv4: 228,
  ipv6: 229,
  linuxSll2: 276,
} as const;

const etherTypeIpv4 = 0x0800;
const etherTypeIpv6 = 0x86dd;
const etherTypeVlan = 0x8100;
const etherTypeServiceVlan = 0x88a8;

/** Offset of the IP header, or why there is none. */
type IpOffset = number | "truncated" | "notIp" | "linkUnknown";

export function findIp(frame: DataView, type: number): IpOffset {
  switch (type) {
    case linkType.ethernet:
      return afterEtherType(frame, 12);
    case linkType.linuxSll:
      return afterEtherType(frame, 14);
    case linkType.linuxSll2:
      return etherTypeAt(frame, 0, 20);
    case linkType.null:
    case linkType.loop:
      return 4;
    case linkType.rawBsd:
    case linkType.rawOpenBsd:
    case linkType.raw:
    case linkType.ipv4:
    case linkType.ipv6:
      return 0;
    default:
      return "linkUnknown";
  }
}

function afterEtherType(frame: DataView, first: number): IpOffset {
  let offset = first;
  for (let tags = 0; tags <= vlanTagsMax; tags++) {
    if (offset + 2 > frame.byteLength) {
      return "truncated";
    }
    const etherType = frame.getUint16(offset);
    if (etherType !== etherTypeVlan && etherType !== etherTypeServiceVlan) {
      return etherTypeAt(frame, offset, offset + 2);
    }
    offset += 4;
  }
  return "notIp";
}

function etherTypeAt(frame: DataView, offset: number, ipOffset: number): IpOffset {
  if (ipOffset > frame.byteLength) {
    return "truncated";
  }
  const etherType = frame.getUint16(offset);
  return etherType === etherTypeIpv4 || etherType === etherTypeIpv6 ? ipOffset : "notIp";
}
