/** Fills frames from probe records: the bytes of tests/packet/build.ts, each packet written in place. */
import { protocolIcmp, protocolTcp, protocolUdp } from "../../../lib/net/wire/layout";
import {
  departedAt,
  departedBytes,
  departedReach,
  departedSlots,
  flagDontFragment,
  frameSlotBytes,
  frameStartOffset,
  framesAt,
  iovecBytes,
  iovecLengthAt,
  iovecPaddingLengthAt,
  iovecsAt,
  linkHeaderBytesAt,
  messageBytes,
  messageIovecsAt,
  messagesAt,
  paddedBytesMaxAt,
  probeBytes,
  probeDstPortAt,
  probeFlagsAt,
  probeFlowLabelAt,
  probeProtocolAt,
  probeSizeAt,
  probeSrcPortAt,
  probesAt,
  probeTrafficClassAt,
  probeTtlAt,
  stopEqual,
  stopNone,
  stopPadding,
  tcpCountAt,
  tcpPrintsAt,
} from "../memory-layout";
import { onesComplementSum } from "./checksum";
import { cookieAtOf, dnsPort, dnsTransportBytes, fillQuery, questionOf } from "./dns-query";
import { fillLinkHeader } from "./frame";
import { mixed, tagOf, tagTime, tcpPrint } from "./tag";

/** Why the last `fill` stopped early: one of the `stop…` constants. */
export let stopReason: i32 = stopNone;
/** Probes to remember that this `fill` has built. */
let tcpCount: i32 = 0;
/** Bytes of UDP and ICMP: header, tweak, tag; and the TTL, in a probe with a size. */
const headBytes: u32 = 18;
const sizedHeadBytes: u32 = 19;

/**
 * Fills the frames of probes `first` to `count - 1`, with their lengths; returns how many from `first` on are
 * ready. `wireCode` and `wrap` are the send time (lib/net/packet/time-code.ts). When they are to depart then, it stops
 * before a probe that is equal to one that has departed in this tick.
 */
export function fill(first: i32, count: i32, wireCode: u32, wrap: u32, isDeparture: bool): i32 {
  stopReason = stopNone;
  tcpCount = 0;
  const linkBytes = load<u32>(linkHeaderBytesAt);
  const code = bswap<u16>(<u16>wireCode);
  const time = tagTime(wireCode, wrap);
  for (let i = first; i < count; i++) {
    const probe: usize = probesAt + i * probeBytes;
    const frame: usize = framesAt + i * frameSlotBytes + frameStartOffset;
    const ipv4 = load<u64>(probe) == 0 && load<u32>(probe, 8) == 0xffff0000;
    const protocol = protocolNumberOf(load<u8>(probe, probeProtocolAt));
    const tag = tagOfProbe(probe, protocol, time);
    stopReason = fillLinkHeader(frame, probe, ipv4);
    if (
      stopReason == stopNone &&
      isSized(probe) &&
      linkBytes + load<u16>(probe, probeSizeAt) > load<u32>(paddedBytesMaxAt)
    ) {
      stopReason = stopPadding;
    }
    if (stopReason == stopNone && isDeparture && hasDeparted(probe, tag, isIcmp(protocol), time)) {
      stopReason = stopEqual;
    }
    if (stopReason != stopNone) {
      store<u32>(tcpCountAt, tcpCount);
      return i - first;
    }
    const packet = frame + linkBytes;
    const bytes = ipv4
      ? fillIpv4(packet, probe, code, protocol, tag)
      : fillIpv6(packet, probe, code, protocol, tag);
    describe(i, linkBytes, bytes, isSized(probe) ? (ipv4 ? 20 : 40) + sizedHeadBytes : bytes);
  }
  store<u32>(tcpCountAt, tcpCount);
  return count - first;
}

/** For the kernel: the slot's lengths, of the frame and of the zeros behind it. */
function describe(slot: i32, linkBytes: u32, bytes: u32, headBytes: u32): void {
  const iovec: usize = iovecsAt + slot * iovecBytes;
  store<u64>(iovec, linkBytes + headBytes, iovecLengthAt);
  const padding = bytes - headBytes;
  if (padding != load<u32>(iovec, iovecPaddingLengthAt)) {
    store<u64>(iovec, padding, iovecPaddingLengthAt);
    store<u64>(messagesAt + slot * messageBytes, padding == 0 ? 1 : 2, messageIovecsAt);
  }
}

/**
 * Whether an equal probe has left in this tick of 0.1 ms, or its table is full; else records the probe. As two equal
 * probes never leave in one tick, an answer's send time identifies its probe, and copies of an answer identify the same
 * one (lib/engines/store/clickhouse/probe-key.ts). Slots of other ticks are free.
 */
function hasDeparted(probe: usize, tag: u64, isIcmp: bool, time: u32): bool {
  // Fields that the tag does not cover; ICMP has no port.
  const ends = <u64>mixed(probe + 16) ^ (isIcmp ? 0 : (<u64>load<u16>(probe, probeDstPortAt)) << 32);
  const name = tag ^ (ends * 0x9e3779b97f4a7c15);
  // The upper bits: the lower ones do not depend on the port.
  let slot = <usize>(name >> 54) & (departedSlots - 1);
  for (let step = 0; step < departedReach; step++) {
    const at: usize = departedAt + slot * departedBytes;
    if (load<u32>(at, 8) != time) {
      store<u64>(at, name);
      store<u32>(at, time, 8);
      return false;
    }
    if (load<u64>(at) == name) {
      return true;
    }
    slot = (slot + 1) & (departedSlots - 1);
  }
  return true;
}

/** TCP's SYN is 20 bytes long, and a query as long as its question, whatever the record says. */
function isSized(probe: usize): bool {
  return (
    load<u16>(probe, probeSizeAt) != 0 &&
    load<u8>(probe, probeProtocolAt) != protocolTcp &&
    questionOf(probe) == 0
  );
}

function transportBytesOf(probe: usize, ipBytes: u32): u32 {
  if (load<u8>(probe, probeProtocolAt) == protocolTcp) {
    return 20;
  }
  const question = questionOf(probe);
  if (question != 0) {
    return dnsTransportBytes(question);
  }
  const size = <u32>load<u16>(probe, probeSizeAt);
  return size == 0 ? headBytes + load<u8>(probe, probeTtlAt) : size - ipBytes;
}

function protocolNumberOf(protocol: u8): u32 {
  return protocol == protocolUdp ? 17 : protocol == protocolTcp ? 6 : protocol == protocolIcmp ? 1 : 58;
}

function isIcmp(protocolNumber: u32): bool {
  return protocolNumber == 1 || protocolNumber == 58;
}

function tagOfProbe(probe: usize, protocolNumber: u32, time: u32): u64 {
  const ttl = <u32>load<u8>(probe, probeTtlAt);
  const word = <u32>load<u16>(probe, probeSrcPortAt) | (ttl << 16) | (protocolNumber << 24);
  return tagOf(0, load<u64>(probe), load<u64>(probe, 8), word, time);
}

function fillIpv4(packet: usize, probe: usize, code: u16, protocolNumber: u32, tag: u64): u32 {
  const protocol = load<u8>(probe, probeProtocolAt);
  const transportBytes = transportBytesOf(probe, 20);
  const totalBytes = 20 + transportBytes;
  const src = load<u32>(probe, 28);
  const dst = load<u32>(probe, 12);
  const trafficClass = (<u32>load<u8>(probe, probeTrafficClassAt)) << 8;
  store<u32>(packet, 0x45 | trafficClass | ((<u32>bswap<u16>(<u16>totalBytes)) << 16));
  // Where the length does not give the TTL back, the identification does.
  const id =
    isSized(probe) || questionOf(probe) != 0
      ? <u32>load<u8>(probe, probeTtlAt) | ((<u32>(tag & 0xff)) << 8)
      : <u32>(tag & 0xffff);
  const fragment: u32 = load<u8>(probe, probeFlagsAt) & flagDontFragment ? 0x400000 : 0;
  store<u32>(packet, id | fragment, 4);
  store<u32>(packet, <u32>load<u8>(probe, probeTtlAt) | (protocolNumber << 8), 8);
  store<u32>(packet, src, 12);
  store<u32>(packet, dst, 16);
  const headerSum = <u64>load<u32>(packet) + load<u32>(packet, 4) + load<u32>(packet, 8) + src + dst;
  store<u16>(packet, <u16>complement(headerSum), 10);
  let pseudoSum: u64 = 0;
  if (protocol != protocolIcmp) {
    pseudoSum = <u64>src + dst + (protocolNumber << 8) + bswap<u16>(<u16>transportBytes);
  }
  fillTransport(packet + 20, probe, tag, code, transportBytes, pseudoSum);
  return totalBytes;
}

function fillIpv6(packet: usize, probe: usize, code: u16, protocolNumber: u32, tag: u64): u32 {
  const transportBytes = transportBytesOf(probe, 40);
  const ttl = <u32>load<u8>(probe, probeTtlAt);
  const trafficClass = (<u32>load<u8>(probe, probeTrafficClassAt)) << 20;
  store<u32>(packet, bswap<u32>(0x60000000 | trafficClass | flowLabelOf(probe, protocolNumber)));
  store<u32>(packet, <u32>bswap<u16>(<u16>transportBytes) | (protocolNumber << 16) | (ttl << 24), 4);
  store<u64>(packet, load<u64>(probe, 16), 8);
  store<u64>(packet, load<u64>(probe, 24), 16);
  store<u64>(packet, load<u64>(probe), 24);
  store<u64>(packet, load<u64>(probe, 8), 32);
  let pseudoSum: u64 = (protocolNumber << 8) + bswap<u16>(<u16>transportBytes);
  for (let i: usize = 8; i < 40; i += 4) {
    pseudoSum += load<u32>(packet + i);
  }
  fillTransport(packet + 40, probe, tag, code, transportBytes, pseudoSum);
  return 40 + transportBytes;
}

/** See lib/net/packet/flow-label.ts. */
function flowLabelOf(probe: usize, protocolNumber: u32): u32 {
  const given = load<u32>(probe, probeFlowLabelAt);
  if (given != 0) {
    return given & 0xfffff;
  }
  const dstPort = isIcmp(protocolNumber) ? 0 : (<u32>load<u16>(probe, probeDstPortAt)) << 16;
  const label = ((<u32>load<u16>(probe, probeSrcPortAt) | dstPort) * 0x9e3779b1) >> 12;
  return label == 0 ? 1 : label;
}

/** Words are assembled before they are stored: a load of two halves just stored would wait for both. */
function fillTransport(at: usize, probe: usize, tag: u64, code: u16, bytes: u32, pseudoSum: u64): void {
  const protocol = load<u8>(probe, probeProtocolAt);
  if (protocol == protocolTcp) {
    fillTcp(at, probe, tag, code, pseudoSum);
    return;
  }
  const srcPort = <u32>bswap<u16>(load<u16>(probe, probeSrcPortAt));
  let ports: u32, rest: u32;
  if (protocol == protocolUdp) {
    const question = questionOf(probe);
    if (question != 0) {
      fillDns(at, probe, tag, code, question, pseudoSum);
      return;
    }
    ports = srcPort | ((<u32>bswap<u16>(load<u16>(probe, probeDstPortAt))) << 16);
    rest = <u32>bswap<u16>(<u16>bytes) | ((<u32>code) << 16);
  } else {
    ports = (protocol == protocolIcmp ? 8 : 128) | (srcPort << 16);
    rest = srcPort | ((<u32>code) << 16);
  }
  store<u64>(at, <u64>ports | ((<u64>rest) << 32));
  store<u64>(at, tag, 10);
  let sum = pseudoSum + ports + rest + (tag & 0xffffffff) + (tag >> 32);
  if (isSized(probe)) {
    const ttl = load<u8>(probe, probeTtlAt);
    store<u8>(at, ttl, headBytes);
    sum += ttl;
    remember(tag, probe, protocol == protocolUdp ? load<u16>(probe, probeDstPortAt) : 0);
  } else {
    for (let word = at + headBytes, end = at + bytes; word < end; word += 8) {
      store<u64>(word, 0);
    }
  }
  store<u16>(at, <u16>complement(sum), 8);
}

function remember(tag: u64, probe: usize, dstPort: u32): void {
  store<u32>(tcpPrintsAt + tcpCount * 4, tcpPrint(tag, mixed(probe + 16), dstPort));
  tcpCount++;
}

function fillDns(at: usize, probe: usize, tag: u64, code: u16, question: u32, pseudoSum: u64): void {
  const bytes = dnsTransportBytes(question);
  store<u16>(at, bswap<u16>(load<u16>(probe, probeSrcPortAt)));
  store<u16>(at, bswap<u16>(<u16>dnsPort), 2);
  store<u16>(at, bswap<u16>(<u16>bytes), 4);
  store<u16>(at, code, 6);
  fillQuery(at + 8, question, tag, load<u8>(probe, probeTtlAt), code);
  const sum = pseudoSum + onesComplementSum(at, at + bytes);
  store<u16>(at + 8 + cookieAtOf(question), <u16>complement(sum));
  remember(tag, probe, dnsPort);
}

function fillTcp(at: usize, probe: usize, tag: u64, code: u16, pseudoSum: u64): void {
  const ports = <u32>bswap<u16>(load<u16>(probe, probeSrcPortAt));
  const dstPort = <u32>load<u16>(probe, probeDstPortAt);
  store<u32>(at, ports | ((<u32>bswap<u16>(<u16>dstPort)) << 16));
  remember(tag, probe, dstPort);
  const tagByte = <u32>((tag >> 16) & 0xff);
  store<u32>(at, <u32>code | ((<u32>load<u8>(probe, probeTtlAt)) << 16) | (tagByte << 24), 4);
  store<u32>(at, 0, 8);
  store<u32>(at, 0xffff0250, 12);
  store<u32>(at, 0, 16);
  const sum = pseudoSum + load<u32>(at) + load<u32>(at, 4) + load<u32>(at, 12);
  store<u16>(at, <u16>complement(sum), 16);
}

/** 65535 minus the sum of 16-bit words modulo 65535; summing little-endian gives the bytes of the big-endian sum. */
function complement(sum: u64): u32 {
  let folded = (sum & 0xffffffff) + (sum >> 32);
  folded = (folded & 0xffff) + (folded >> 16);
  folded = (folded & 0xffff) + (folded >> 16);
  folded = (folded & 0xffff) + (folded >> 16);
  return folded == 0xffff ? 0xffff : 0xffff - <u32>folded;
}
