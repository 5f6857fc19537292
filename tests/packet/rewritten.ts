/**
 * What a NAT has made of a quote, and whose probe it was nevertheless.
 *
 * A NAT has to give an error's quote back as it was sent (RFC 5508 s.4.2). Many give addresses and ports back but not
 * the checksum, some nothing at all, and some rewrite the IPv4 identification. No state is needed to see through:
 *
 * - source: an error reaches the address that the probe was sent from;
 * - UDP checksum, the time code: it follows from the rest, as the tweak was chosen for it; its payload is quoted whole
 *   but for zeros;
 * - ICMP identifier: it was equal to the checksum, and a NAT leaves the sum of both as it is (RFC 1624);
 * - identification: of UDP and ICMP the payload holds the tag too; a TCP probe is remembered (tag.ts).
 *
 * Then the tag must fit. A rewritten source port of UDP or TCP, and a rewritten destination, cannot be found so.
 */
import { type Address, sameAddress } from "../../lib/net/ip/address.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import { asSent, type Rewriting, rewrittenBits } from "../../lib/net/packet/reply.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import type { TcpProof } from "../../lib/net/packet/tag.ts";
import { payloadHeadBytes, shortHeaderBytes, tcpHeaderBytes } from "./build.ts";
import { type Match, matchFresh } from "./match.ts";
import { onesComplementSum } from "./ones-complement-sum.ts";
import type { RawReply } from "./raw-reply.ts";

const modulus = 0xffff;
const allBits = 0xffff_ffff_ffff_ffffn;
const sequenceBits = 0xff_0000n;

interface AsSent {
  readonly raw: RawReply;
  readonly match: Match;
}

/**
 * The quote as its probe must have been sent, where that fits a tag; null otherwise.
 *
 * @param raw with the source that it was sent from
 * @param quotedSource the one that is quoted
 */
export function matchAsSent(
  raw: RawReply,
  quotedSource: Address,
  receivedTick: number,
  keys: readonly SipKey[],
  tcp: TcpProof,
): AsSent | null {
  const sent = guessSent(raw, quotedSource);
  const match = sent === null ? null : matchFresh(sent, receivedTick, keys, tcp);
  return sent === null || match === null ? null : { raw: sent, match };
}

function guessSent(raw: RawReply, quotedSource: Address): RawReply | null {
  const { quotedTag, wireTimeCode } = raw;
  if (raw.probeProtocol === ianaNumber.tcp) {
    const [mask, value] = [sequenceBits, quotedTag.value & sequenceBits];
    return (quotedTag.mask & 0xffffn) === 0n ? null : { ...raw, quotedTag: { mask, value } };
  }
  if (quotedTag.mask !== allBits) {
    return null;
  }
  if (raw.probeProtocol === ianaNumber.udp) {
    const delta = checksumExcess(raw);
    return delta === 0 ? null : { ...raw, wireTimeCode: modulo(wireTimeCode - delta) };
  }
  const moved = raw.probeProtocol === ianaNumber.icmp ? 0 : sumOf(quotedSource) - sumOf(raw.probeSrcAddr);
  const twice = modulo(quotedChecksum(raw) + raw.probeSrcPort + moved);
  return { ...raw, probeSrcPort: twice % 2 === 0 ? twice / 2 : (twice + modulus) / 2 };
}

/** What the quote has otherwise than `sent`; where no tag fits, its source is all that is known. */
export function rewritingOf(quoted: RawReply, sent: RawReply, isProven: boolean): Rewriting {
  const isSource = !sameAddress(quoted.probeSrcAddr, sent.probeSrcAddr);
  const isPort = quoted.probeSrcPort !== sent.probeSrcPort;
  const delta = isProven ? checksumDelta(quoted, sent) : 0;
  const bits = [
    isSource ? rewrittenBits.source : 0,
    isPort ? rewrittenBits.sourcePort : 0,
    delta === 0 ? 0 : rewrittenBits.checksum,
    isProven && isIdRewritten(quoted, sent) ? rewrittenBits.identification : 0,
  ];
  return {
    replyRewritten: bits.reduce((all, bit) => all | bit),
    replyQuotedSrcPort: isPort ? quoted.probeSrcPort : 0,
    replyChecksumDelta: delta,
    replyQuotedSrcAddr: isSource ? quoted.probeSrcAddr : asSent.replyQuotedSrcAddr,
  };
}

function checksumDelta(quoted: RawReply, sent: RawReply): number {
  switch (sent.probeProtocol) {
    case ianaNumber.udp:
      return modulo(quoted.wireTimeCode - sent.wireTimeCode);
    case ianaNumber.tcp:
      return checksumExcess(sent);
    default:
      return modulo(quotedChecksum(quoted) - sent.probeSrcPort);
  }
}

/** A TCP probe matches without its identification where that does not fit. */
function isIdRewritten(quoted: RawReply, sent: RawReply): boolean {
  return quoted.hasOtherId || sent.quotedTag.mask !== quoted.quotedTag.mask;
}

/** By how much the quoted checksum of UDP or TCP exceeds the right one; 0 also where too little is quoted. */
function checksumExcess(raw: RawReply): number {
  const { quotedTransport, probeProtocol, probeSrcAddr, probeDstAddr } = raw;
  const isTcp = probeProtocol === ianaNumber.tcp;
  const headBytes = shortHeaderBytes + payloadHeadBytes;
  const length = isTcp ? tcpHeaderBytes : (quotedTransport?.getUint16(4) ?? 0);
  const isSized = length - headBytes > 255;
  const bytes = isTcp ? tcpHeaderBytes : isSized ? headBytes + 1 : headBytes;
  if (quotedTransport === null || quotedTransport.byteLength < bytes) {
    return 0;
  }
  const pseudoSum = sumOf(probeSrcAddr) + sumOf(probeDstAddr) + probeProtocol + length;
  return modulo(onesComplementSum(quotedTransport, 0, bytes) + pseudoSum);
}

function quotedChecksum({ quotedTransport }: RawReply): number {
  return quotedTransport?.getUint16(2) ?? 0;
}

/** A mapped address counts as its four bytes: `ffff` is 0 modulo 65535. */
function sumOf(address: Address): number {
  return onesComplementSum(new DataView(address.buffer, address.byteOffset, 16), 0, 16);
}

function modulo(sum: number): number {
  return ((sum % modulus) + modulus) % modulus;
}
