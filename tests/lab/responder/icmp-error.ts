/**
 * ICMP errors of both families: time exceeded and destination unreachable, with the quoted probe and an MPLS
 * label stack when the hop has one.
 *
 *     offset  0 type   1 code   2 checksum (2)   4 IPv6: length in 8 bytes   5 IPv4: length in 4 bytes
 *             8 quoted probe, padded to 128 bytes before an extension (RFC 4884 s.4, s.5)
 *           136 extension: version 2, checksum; object length, class 1, type 1; labels (RFC 4950 s.2)
 */
import { finishChecksum, wordSum } from "./checksum.ts";
import { slotBytes } from "./delay-queue.ts";
import {
  type AnswerHeader,
  fixTransportChecksum,
  type IpPacket,
  protocolNumbers,
  sourceOf,
  writeIpHeader,
  writeWord,
} from "./ip-packet.ts";
import type { Behaviour, LabelEntry } from "./scenario.ts";

const icmpHeaderBytes = 8;
const quoteBytesBeforeExtension = 128;
const extensionHeaderBytes = 8;

interface IcmpError {
  readonly type: number;
  readonly code: number;
  readonly source: Uint8Array;
  readonly ttl: number;
}

/** Writes the error about `probe` into `answer`; returns its bytes. */
export function writeIcmpError(
  answer: Uint8Array,
  probe: IpPacket,
  error: IcmpError,
  behaviour: Behaviour,
): number {
  const ipHeaderBytes = probe.family === 4 ? 20 : 40;
  const quoteStart = ipHeaderBytes + icmpHeaderBytes;
  const quoteBytes = writeQuote(answer, quoteStart, probe, behaviour);
  const extensionBytes = writeExtension(answer, quoteStart + quoteBytes, behaviour.labels?.stack ?? []);
  const header: AnswerHeader = {
    family: probe.family,
    source: error.source,
    destination: sourceOf(probe),
    protocol: probe.family === 4 ? protocolNumbers.icmp : protocolNumbers.icmpv6,
    ttl: error.ttl,
    payloadBytes: icmpHeaderBytes + quoteBytes + extensionBytes,
  };
  writeIpHeader(answer, header);
  answer.fill(0, ipHeaderBytes, quoteStart);
  answer[ipHeaderBytes] = error.type;
  answer[ipHeaderBytes + 1] = error.code;
  if (behaviour.labels?.form === "compliant") {
    const [offset, unit] = probe.family === 4 ? [5, 4] : [4, 8];
    answer[ipHeaderBytes + offset] = quoteBytes / unit;
  }
  fixTransportChecksum(answer, header, 2);
  return ipHeaderBytes + header.payloadBytes;
}

function writeQuote(answer: Uint8Array, start: number, probe: IpPacket, behaviour: Behaviour): number {
  const wanted = probe.headerBytes + (behaviour.quotedBytes ?? probe.bytes.length);
  if (behaviour.labels === undefined) {
    const bytes = Math.min(wanted, probe.bytes.length, slotBytes - start);
    answer.set(probe.bytes.subarray(0, bytes), start);
    return bytes;
  }
  answer.fill(0, start, start + quoteBytesBeforeExtension);
  answer.set(probe.bytes.subarray(0, Math.min(wanted, quoteBytesBeforeExtension)), start);
  return quoteBytesBeforeExtension;
}

function writeExtension(answer: Uint8Array, start: number, stack: readonly LabelEntry[]): number {
  if (stack.length === 0) {
    return 0;
  }
  const bytes = extensionHeaderBytes + 4 * stack.length;
  answer.set([0x20, 0, 0, 0, 0, bytes - 4, 1, 1], start);
  stack.forEach(({ label, exp, ttl }, i) => {
    const bottom = i === stack.length - 1 ? 1 : 0;
    const at = start + extensionHeaderBytes + 4 * i;
    writeWord(answer, at, label >> 4);
    writeWord(answer, at + 2, ((label & 0xf) << 12) | (exp << 9) | (bottom << 8) | ttl);
  });
  writeWord(answer, start + 2, finishChecksum(wordSum(answer, start, start + bytes)));
  return bytes;
}
