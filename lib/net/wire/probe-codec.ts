/**
 * Probes as bytes of the topic `measure-probes`: stream-framed, unpacked Cap'n Proto `Probe` messages
 * (probe.capnp), one after another. All integers little endian. Ours have 48 bytes each:
 *
 *   at  bytes  what
 *   0   4      0: one segment
 *   4   4      5 words follow this frame
 *   8   8      root pointer: 00 00 00 00 01 00 01 00 (distance 0, one data word, one pointer)
 *   16  8      u16 srcPort, u16 dstPort, u8 ttl, u8 0, u16 protocol (see protocol-number.ts)
 *   24  8      pointer to dstAddr: 01 00 00 00 82 00 00 00 (distance 0, 16 bytes)
 *   32  16     dstAddr, IPv4 mapped
 */
import { type Address, addressBytes, familyOf } from "../ip/address.ts";
import { type Probe, type Protocol, protocolFitsFamily } from "../packet/probe.ts";
import { readAddressInto } from "./byte-lists.ts";
import * as at from "./layout.ts";
import { MessageReader } from "./message-reader.ts";
import { MessageWriter, messageBytes } from "./message-writer.ts";
import { protocolNumber, protocolOfNumber } from "./protocol-number.ts";
import type { WireReason } from "./wire-reason.ts";

/** Bytes of every probe message that we write. */
export const probeMessageBytes = messageBytes(at.probeDataWords, at.probePointerWords, addressBytes / 8);

/** Where the data section of our messages starts: behind frame and root pointer. */
const dataOffset = 16;

/** `next` is the offset of the following message; after a broken frame, the end of the bytes. */
type ProbeResult =
  | { readonly ok: true; readonly probe: Probe; readonly next: number }
  | { readonly ok: false; readonly reason: WireReason; readonly next: number };

/** Encodes one probe in the form above. Numbers wrap at the width of their field. */
export function encodeProbe(probe: Probe): Uint8Array {
  return encodeProbes([probe]);
}

/** Encodes probes one after another, as a record of the broker holds them. */
export function encodeProbes(probes: readonly Probe[]): Uint8Array {
  const record = new Uint8Array(probes.length * probeMessageBytes);
  for (const [i, probe] of probes.entries()) {
    encodeProbeInto(probe, record.subarray(i * probeMessageBytes, (i + 1) * probeMessageBytes));
  }
  return record;
}

/** Encodes one probe into `probeMessageBytes` bytes, which must be zeros. */
export function encodeProbeInto(probe: Probe, message: Uint8Array): void {
  const writer = new MessageWriter();
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const all = { start: 0, size: message.length };
  writer.begin(message, view, all, at.probeDataWords, at.probePointerWords);
  writer.u16(at.probeSrcPortOffset, probe.srcPort);
  writer.u16(at.probeDstPortOffset, probe.dstPort);
  writer.u8(at.probeTtlOffset, probe.ttl);
  writer.u16(at.probeProtocolOffset, protocolNumber[probe.protocol]);
  writer.byteList(at.probeDstAddrPointer, probe.dst);
}

/** Whether our message at `offset` has a port of 0. */
export function hasPortZero(message: Uint8Array, offset: number): boolean {
  const src = offset + dataOffset + at.probeSrcPortOffset;
  const dst = offset + dataOffset + at.probeDstPortOffset;
  return (message[src] === 0 && message[src + 1] === 0) || (message[dst] === 0 && message[dst + 1] === 0);
}

/** Whether our message at `offset` is a TCP probe. */
export function isTcpProbe(message: Uint8Array, offset: number): boolean {
  const protocolAt = offset + dataOffset + at.probeProtocolOffset;
  return message[protocolAt] === protocolNumber.tcp && message[protocolAt + 1] === 0;
}

/** The destination port in our message at `offset`. */
export function dstPortOfProbe(message: Uint8Array, offset: number): number {
  return u16(message, offset + dataOffset + at.probeDstPortOffset);
}

/** The protocol's number (protocol-number.ts) in our message at `offset`. */
export function protocolOfProbe(message: Uint8Array, offset: number): number {
  return u16(message, offset + dataOffset + at.probeProtocolOffset);
}

export function ttlOfProbe(message: Uint8Array, offset: number): number {
  return message[offset + dataOffset + at.probeTtlOffset] ?? 0;
}

/** Source port x 65,536 + destination port. */
export function flowOfProbe(message: Uint8Array, offset: number): number {
  const src = u16(message, offset + dataOffset + at.probeSrcPortOffset);
  return src * 65_536 + u16(message, offset + dataOffset + at.probeDstPortOffset);
}

function u16(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8);
}

/**
 * Decodes the probe that starts at `offset`, in any valid encoding; an IPv4 address may have 4 bytes.
 *
 * Also refuses probes that could not be sent: no address, TTL 0, an unknown protocol or one of the other family. Never
 * throws and keeps no reference to `bytes`.
 */
export function decodeProbe(bytes: Uint8Array, offset = 0): ProbeResult {
  const cursor = new ProbeCursor(bytes, offset);
  cursor.advance();
  const { dst, srcPort, dstPort, ttl, protocol, reason, next } = cursor;
  return reason === null
    ? { ok: true, probe: { dst: dst.slice(), srcPort, dstPort, ttl, protocol }, next }
    : { ok: false, reason, next };
}

/**
 * Walks the probes of a record without an object for each:
 * `while (cursor.next < bytes.length) { cursor.advance(); if (cursor.reason === null) … }`.
 */
export class ProbeCursor {
  /** Overwritten by the next `advance`. */
  readonly dst: Address = new Uint8Array(addressBytes);
  srcPort = 0;
  dstPort = 0;
  ttl = 0;
  protocol: Protocol = "udp";
  /** Why the current probe is refused; null = it is valid. */
  reason: WireReason | null = null;
  /** Offset of the following message; the end of the bytes when the frame of this one is broken. */
  next: number;
  readonly #reader: MessageReader;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#reader = new MessageReader(bytes);
    this.next = offset;
  }

  /** Moves to the message at `next`; at the end of the bytes, `reason` is `truncated`. */
  advance(): void {
    const reader = this.#reader;
    reader.open(this.next);
    readAddressInto(reader, at.probeDstAddrPointer, this.dst, 0);
    if (reader.listCount === 0) {
      reader.fail("addressLength");
    }
    this.srcPort = reader.u16(at.probeSrcPortOffset);
    this.dstPort = reader.u16(at.probeDstPortOffset);
    this.ttl = reader.u8(at.probeTtlOffset);
    this.#readProtocol();
    if (this.ttl === 0) {
      reader.fail("ttlZero");
    }
    this.reason = reader.failure;
    this.next = reader.next;
  }

  #readProtocol(): void {
    const protocol = protocolOfNumber(this.#reader.u16(at.probeProtocolOffset));
    if (protocol === null) {
      this.#reader.fail("protocolUnknown");
      return;
    }
    this.protocol = protocol;
    if (!protocolFitsFamily(protocol, familyOf(this.dst))) {
      this.#reader.fail("protocolFamily");
    }
  }
}
