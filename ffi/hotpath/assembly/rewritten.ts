/** What a NAT has made of a quote: tests/packet/rewritten.ts. */
import { folded, onesComplementSum } from "./checksum";
import { matchFresh, matchNone, matchTcpUnproven } from "./match";
import {
  allBits,
  hasOtherId,
  ipv4,
  keepQuotedPort,
  probeDst,
  probeProtocol,
  probeSrc,
  probeSrcPort,
  quotedEnd,
  quotedTransportAt,
  replyQuotedSrc,
  setChecksumDelta,
  setRewrittenId,
  setSentPort,
  setTag,
  setTimeCode,
  tagMask,
  tagValue,
  tcp,
  ttlMax,
  udp,
  wireTimeCode,
} from "./raw-reply";

const sequenceBits: u64 = 0xff0000;
const tcpHeaderBytes: usize = 20;
const headBytes: usize = 18;
const modulus: u32 = 0xffff;
/** Half of 1, modulo 65535. */
const half: u32 = 32768;

/** For a quote that `matchTag` says `verdict` of: the key that matches the probe as it must have been sent. */
export function matchAsSent(receivedTick: i64, verdict: i32): i32 {
  if (verdict == matchTcpUnproven) {
    return matchWithoutId(receivedTick, verdict);
  }
  if (verdict != matchNone || tagMask != allBits) {
    return verdict;
  }
  return probeProtocol == udp ? matchUdp(receivedTick) : matchIcmp(receivedTick);
}

function matchWithoutId(receivedTick: i64, verdict: i32): i32 {
  if ((tagMask & 0xffff) == 0) {
    return verdict;
  }
  const value = tagValue;
  const mask = tagMask;
  setTag(sequenceBits, value & sequenceBits, true);
  const key = matchFresh(receivedTick, true);
  if (key < 0) {
    setTag(mask, value, true);
    return verdict;
  }
  setRewrittenId();
  return key;
}

function matchUdp(receivedTick: i64): i32 {
  const delta = checksumExcess();
  if (delta == 0) {
    return matchNone;
  }
  const quotedCode = wireTimeCode;
  setTimeCode((quotedCode + modulus - delta) % modulus);
  const key = matchFresh(receivedTick, false);
  if (key < 0) {
    setTimeCode(quotedCode);
  } else {
    setChecksumDelta(delta);
  }
  return key;
}

function matchIcmp(receivedTick: i64): i32 {
  let twice = quotedChecksum() + probeSrcPort;
  if (!ipv4 && replyQuotedSrc != 0) {
    twice += addressSum(replyQuotedSrc) + modulus - addressSum(probeSrc);
  }
  const port = ((twice % modulus) * half) % modulus;
  setSentPort(port);
  const key = matchFresh(receivedTick, false);
  if (key < 0) {
    keepQuotedPort();
  }
  return key;
}

/** Once a quote's probe is known. */
export function noteRewritten(): void {
  if (probeProtocol == tcp) {
    setChecksumDelta(checksumExcess());
  } else if (probeProtocol != udp) {
    setChecksumDelta((quotedChecksum() + modulus - (probeSrcPort % modulus)) % modulus);
  }
  if (hasOtherId && tagMask == allBits) {
    setRewrittenId();
  }
}

function quotedChecksum(): u32 {
  return bswap<u16>(load<u16>(quotedTransportAt, 2));
}

/** By how much the quoted checksum of UDP or TCP exceeds the right one; 0 also where too little is quoted. */
function checksumExcess(): u32 {
  const at = quotedTransportAt;
  const isTcp = probeProtocol == tcp;
  const udpLength = load<u16>(at, 4);
  const isSized = !isTcp && <usize>bswap<u16>(udpLength) - headBytes > <usize>ttlMax;
  const bytes = isTcp ? tcpHeaderBytes : isSized ? headBytes + 1 : headBytes;
  if (at + bytes > quotedEnd) {
    return 0;
  }
  const length = isTcp ? <u32>bswap<u16>(<u16>tcpHeaderBytes) : <u32>udpLength;
  const addressBytes: usize = ipv4 ? 4 : 16;
  const sum =
    <u64>onesComplementSum(at, at + bytes) +
    onesComplementSum(probeSrc, probeSrc + addressBytes) +
    onesComplementSum(probeDst, probeDst + addressBytes) +
    (probeProtocol << 8) +
    length;
  return <u32>bswap<u16>(<u16>(folded(sum) % modulus));
}

function addressSum(at: usize): u32 {
  return <u32>bswap<u16>(<u16>onesComplementSum(at, at + 16)) % modulus;
}
