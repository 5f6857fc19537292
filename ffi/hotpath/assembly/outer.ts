/** From a captured frame to the payload of its IP packet: tests/packet/link-layer.ts and ip-header.ts. */
import { setFragments, setOuter, setPayload } from "./raw-reply";
import { fragment, linkUnknown, malformed, notIp, readable, truncated } from "./refusal";

const vlanTagsMax = 2;
const extensionHeadersMax = 8;

/** Set by `findIp`. */
let ipAt: usize = 0;

/** Reads up to a frame's payload; returns `readable` or a refusal. */
export function readOuter(frame: usize, end: usize, linkType: u32): i32 {
  const found = findIp(frame, end, linkType);
  if (found != readable) {
    return found;
  }
  if (ipAt >= end) {
    return truncated;
  }
  const version = load<u8>(ipAt) >> 4;
  return version == 4 ? readIpv4(ipAt, end) : version == 6 ? readIpv6(ipAt, end) : notIp;
}

function findIp(frame: usize, end: usize, linkType: u32): i32 {
  switch (linkType) {
    case 1:
      return afterEtherType(frame + 12, end);
    case 113:
      return afterEtherType(frame + 14, end);
    case 276:
      return etherTypeAt(frame, frame + 20, end);
    case 0:
    case 108:
      ipAt = frame + 4;
      return readable;
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      ipAt = frame;
      return readable;
    default:
      return linkUnknown;
  }
}

function afterEtherType(first: usize, end: usize): i32 {
  let at = first;
  for (let tags = 0; tags <= vlanTagsMax; tags++) {
    if (at + 2 > end) {
      return truncated;
    }
    const etherType = load<u16>(at);
    if (etherType != 0x0081 && etherType != 0xa888) {
      return etherTypeAt(at, at + 2, end);
    }
    at += 4;
  }
  return notIp;
}

function etherTypeAt(at: usize, ip: usize, end: usize): i32 {
  if (ip > end) {
    return truncated;
  }
  const etherType = load<u16>(at);
  ipAt = ip;
  return etherType == 0x0008 || etherType == 0xdd86 ? readable : notIp;
}

function readIpv4(at: usize, end: usize): i32 {
  if (at + 20 > end) {
    return truncated;
  }
  const headerBytes = <usize>(load<u8>(at) & 0xf) * 4;
  const size = <u32>bswap<u16>(load<u16>(at, 2));
  if (headerBytes < 20 || size < <u32>headerBytes) {
    return malformed;
  }
  const fragmentField = bswap<u16>(load<u16>(at, 6));
  if ((fragmentField & 0x1fff) != 0) {
    return fragment;
  }
  setFragments((fragmentField & 0x2000) != 0);
  setOuter(true, at + 12, at + 16, bswap<u16>(load<u16>(at, 4)), size, load<u8>(at, 8));
  setPayload(load<u8>(at, 9), at + headerBytes, at + size, min<usize>(end, at + size));
  return readable;
}

function readIpv6(at: usize, end: usize): i32 {
  if (at + 40 > end) {
    return truncated;
  }
  const size = <u32>bswap<u16>(load<u16>(at, 4));
  const wireEnd = at + 40 + size;
  setOuter(false, at + 8, at + 24, 0, size, load<u8>(at, 7));
  return skipExtensionHeaders(at + 40, wireEnd, min<usize>(end, wireEnd), load<u8>(at, 6));
}

function skipExtensionHeaders(first: usize, wireEnd: usize, end: usize, firstProtocol: u32): i32 {
  let at = first;
  let protocol = firstProtocol;
  let more = false;
  for (let count = 0; isExtension(protocol); count++) {
    if (count == extensionHeadersMax) {
      return malformed;
    }
    if (at + 8 > end) {
      return truncated;
    }
    if (protocol == 44 && bswap<u16>(load<u16>(at, 2)) >> 3 != 0) {
      return fragment;
    }
    more = more || (protocol == 44 && (load<u8>(at, 3) & 1) == 1);
    const units = <usize>load<u8>(at, 1);
    const next = load<u8>(at);
    at += protocol == 44 ? 8 : protocol == 51 ? 8 + 4 * units : 8 + 8 * units;
    protocol = next;
  }
  setFragments(more);
  setPayload(protocol, at, wireEnd, end);
  return readable;
}

function isExtension(protocol: u32): bool {
  return protocol == 0 || protocol == 43 || protocol == 44 || protocol == 51 || protocol == 60;
}
