/**
 * The tag: 64 keyed bits in every probe. In an answer they prove that the probe was ours, which instance sent it, and
 * in which wrap of the time code.
 *
 * tag = SipHash-2-4(key of agent and instance, destination 16 | source port 2 | TTL 1 | protocol 1 | time code 2 |
 * wrap 2, all little-endian). 16 bits of the wrap count are enough: they repeat after five days. On the wire the 8
 * bytes of the tag stand in little-endian order:
 *
 * | probe      | bytes 0–1          | byte 2                       | bytes 0–7                |
 * |------------|--------------------|------------------------------|--------------------------|
 * | UDP, ICMP  | IPv4 identification |                             | payload, from its byte 2 |
 * | UDP, ICMP with a size | its second byte, behind the TTL |             | payload, from its byte 2 |
 * | TCP SYN    | IPv4 identification | low byte of sequence number |                          |
 *
 * An answer is checked by as many tag bits as it quotes. TCP answers carry too few, and so may those to probes with a
 * size: so the sender keeps a print of each of these (`tcpPrint`), and an answer must match one of exactly its tick:
 *
 * | answer                                   | IPv4 | IPv6 |
 * |------------------------------------------|------|------|
 * | echo reply                               | 64   | 64   |
 * | error, 18 bytes or more of UDP/ICMP quoted | 64 | 64   |
 * | error, 8 bytes of UDP/ICMP quoted        | 16   | none: untagged |
 * | the same of a probe with a size          | 8, and 32 of the print | none, and no TTL: refused |
 * | error quoting TCP                        | 24, and 32 of the print | 8, and 32 of the print |
 * | SYN-ACK, RST                             | 8, and 32 of the print  | 8, and 32 of the print |
 *
 * A NAT may leave a quote as it has made it. What was sent is then inferred, one guess for each quote, and the tag
 * proves it as above (tests/packet/rewritten.ts):
 *
 * | quoted otherwise than it was sent | inferred from | bytes quoted |
 * |-----------------------------------|---------------|--------------|
 * | source                            | the answer's destination, which must be ours | 8 |
 * | UDP checksum, the time code       | ports, length, tweak and tag, whose sum it was | 18; with a size 19 |
 * | ICMP identifier                   | its sum with the checksum, which a NAT keeps: both were the port | 18 |
 * | identification, UDP and ICMP      | not needed: the payload has the tag | 18 |
 * | identification, TCP               | left out of the tag: 8 bits, and 32 of the print | 8 |
 * | UDP or TCP source port; destination | nothing: the answer stays unproven | |
 */
import { createHmac } from "node:crypto";
import type { Address } from "../ip/address.ts";
import { type SipKey, sipHash, sipKey } from "./siphash.ts";

/** The part of a tag that an answer quotes: `value` has no bits outside `mask`. */
export interface QuotedTag {
  readonly mask: bigint;
  readonly value: bigint;
}

interface TaggedFields {
  readonly dst: Address;
  readonly srcPort: number;
  readonly ttl: number;
  /** IANA number. */
  readonly protocolNumber: number;
  /** As sent, 1–65535; see time-code.ts for both. */
  readonly wireTimeCode: number;
  readonly wrap: number;
}

/**
 * Derives the key of one instance: the first 16 bytes of HMAC-SHA256(integrity key, agent id, NUL, instance id).
 *
 * The agents of an anycast group share the integrity key, so each can identify the sender of the probe behind an
 * answer.
 */
export function tagKey(integrityKey: Uint8Array, agentId: string, instanceId: number): SipKey {
  return sipKey(createHmac("sha256", integrityKey).update(`${agentId}\0${instanceId}`).digest());
}

export function tagOf(key: SipKey, fields: TaggedFields): bigint {
  const view = new DataView(fields.dst.buffer, fields.dst.byteOffset, 16);
  const low = BigInt(fields.srcPort | (fields.ttl << 16)) | (BigInt(fields.protocolNumber) << 24n);
  const time = BigInt(fields.wireTimeCode) | (BigInt(fields.wrap & 0xffff) << 16n);
  return sipHash(key, [view.getBigUint64(0, true), view.getBigUint64(8, true), low | (time << 32n)]);
}

/** The fields that identify a remembered TCP probe, besides its tag. */
interface TcpEnds {
  readonly src: Address;
  readonly dstPort: number;
}

/**
 * The print of a TCP probe, 32 bits: the half of its tag that is not sent, XOR the four 32-bit words of its
 * source, XOR its destination port times 0x9e3779b1. It holds all that the tag does not cover, so it
 * identifies one probe.
 */
export function tcpPrint(tag: bigint, { src, dstPort }: TcpEnds): number {
  const view = new DataView(src.buffer, src.byteOffset, 16);
  const words = [0, 4, 8, 12].reduce((mixed, at) => mixed ^ view.getUint32(at, true), Number(tag >> 32n));
  return (words ^ Math.imul(dstPort, 0x9e3779b1)) >>> 0;
}

/** Whether all quoted bits match; false for an answer that quotes none, as it proves nothing. */
export function tagFits(tag: bigint, quoted: QuotedTag): boolean {
  return quoted.mask !== 0n && (tag & quoted.mask) === quoted.value;
}

/** The senders' memory of their ICMP probes' destinations. */
export interface EchoTargets {
  /**
   * Copies the destinations of this key's sender in this tick to the start of `into`, 16 bytes each; returns their
   * number.
   */
  copy(key: number, sentTick: number, into: Int32Array): number;
}

/** The senders' memory of their TCP probes. */
export interface TcpProof {
  /** Whether the sender with this key sent a TCP probe with this print in this tick. */
  hasLeft(key: number, sentTick: number, print: number): boolean;
}
