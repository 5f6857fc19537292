/**
 * The parser's result for one packet, in globals: nothing is allocated for a reply.
 *
 * Addresses are kept as offsets in the captured frame; `ipv4` = 4 bytes each, else 16.
 */

/** Members of `replyProtocol` and `probeProtocol`: IANA's numbers. */
export const tcp: u32 = 6;
export const udp: u32 = 17;
/** `tagMask` of a whole tag. */
export const allBits: u64 = 0xffffffffffffffff;
/** A probe of UDP or ICMP that is longer by more than this has a size of its own, and its TTL behind the tag. */
export const ttlMax: i32 = 255;

export let ipv4: bool = false;
export let replySrc: usize = 0;
export let replyDst: usize = 0;
export let replyId: u32 = 0;
export let replySize: u32 = 0;
export let replyTtl: u32 = 0;
export let replyQuotedTtl: u32 = 0;
export let replyQuotedTrafficClass: u32 = 0;
export let replyQuotedFlowLabel: u32 = 0;
export let replyNextHopMtu: u32 = 0;
export let replyProtocol: u32 = 0;
export let replyIcmpType: u32 = 0;
export let replyIcmpCode: u32 = 0;
export let probeSrc: usize = 0;
export let probeDst: usize = 0;
export let probeId: u32 = 0;
export let probeSize: u32 = 0;
export let probeTtl: i32 = 0;
export let probeProtocol: u32 = 0;
export let probeSrcPort: u32 = 0;
export let probeDstPort: u32 = 0;
export let wireTimeCode: u32 = 0;
export let tagMask: u64 = 0;
export let tagValue: u64 = 0;
/** What comes back proves too little without the sender's memory. */
export let isRemembered: bool = false;
/** What the quote has otherwise than it was sent: see `Reply` of lib/net/packet. */
export let replyRewritten: u32 = 0;
export let replyQuotedSrc: usize = 0;
export let replyQuotedSrcPort: u32 = 0;
export let replyChecksumDelta: u32 = 0;
/** Where the quote's transport header starts and where the quote ends; 0 without a quote. */
export let quotedTransportAt: usize = 0;
export let quotedEnd: usize = 0;
/** The IPv4 identification of the quote is not the one of the tag beside it. */
export let hasOtherId: bool = false;

/** Where the outer packet's payload starts, ends on the wire, and ends in the capture. */
export let payloadAt: usize = 0;
export let wireEndAt: usize = 0;
export let endAt: usize = 0;
/** It is the first of several fragments. */
export let hasMoreFragments: bool = false;

export function setOuter(isIpv4: bool, src: usize, dst: usize, id: u32, size: u32, ttl: u32): void {
  ipv4 = isIpv4;
  replySrc = src;
  replyDst = dst;
  replyId = id;
  replySize = size;
  replyTtl = ttl;
}

export function setFragments(more: bool): void {
  hasMoreFragments = more;
}

export function setPayload(protocolNumber: u32, at: usize, wireEnd: usize, end: usize): void {
  replyProtocol = protocolNumber;
  payloadAt = at;
  wireEndAt = wireEnd;
  endAt = end;
}

export function setType(type: u32, code: u32): void {
  replyIcmpType = type;
  replyIcmpCode = code;
}

/** What a quote has that direct answers lack. */
export function setQuote(trafficClass: u32, flowLabel: u32, nextHopMtu: u32): void {
  replyQuotedTrafficClass = trafficClass;
  replyQuotedFlowLabel = flowLabel;
  replyNextHopMtu = nextHopMtu;
}

export function setProbe(
  src: usize,
  dst: usize,
  id: u32,
  size: u32,
  quotedTtl: u32,
  protocolNumber: u32,
): void {
  probeSrc = src;
  probeDst = dst;
  probeId = id;
  probeSize = size;
  replyQuotedTtl = quotedTtl;
  probeProtocol = protocolNumber;
}

export function setQuoted(transportAt: usize, end: usize): void {
  quotedTransportAt = transportAt;
  quotedEnd = end;
  hasOtherId = false;
  replyRewritten = 0;
  replyQuotedSrc = 0;
  replyQuotedSrcPort = 0;
  replyChecksumDelta = 0;
}

export function setOtherId(): void {
  hasOtherId = true;
}

/** The probe was sent from where its answer goes; what is quoted is a NAT's. */
export function setSentSource(): void {
  replyQuotedSrc = probeSrc;
  probeSrc = replyDst;
  replyRewritten |= 1;
}

export function setSentPort(port: u32): void {
  replyQuotedSrcPort = probeSrcPort;
  probeSrcPort = port;
  replyRewritten |= 2;
}

/** After `setSentPort`: no probe had that one. */
export function keepQuotedPort(): void {
  probeSrcPort = replyQuotedSrcPort;
  replyQuotedSrcPort = 0;
  replyRewritten &= ~2;
}

export function setTimeCode(timeCode: u32): void {
  wireTimeCode = timeCode;
}

export function setChecksumDelta(delta: u32): void {
  replyChecksumDelta = delta;
  replyRewritten |= delta == 0 ? 0 : 8;
}

export function setRewrittenId(): void {
  replyRewritten |= 16;
}

export function setProbeDst(dst: usize): void {
  probeDst = dst;
}

export function setTransport(srcPort: u32, dstPort: u32, ttl: i32, timeCode: u32): void {
  probeSrcPort = srcPort;
  probeDstPort = dstPort;
  probeTtl = ttl;
  wireTimeCode = timeCode;
}

export function setTag(mask: u64, value: u64, remembered: bool): void {
  tagMask = mask;
  tagValue = value;
  isRemembered = remembered;
}
