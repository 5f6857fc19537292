/**
 * Netlink messages: 16-byte header, a fixed body, then attributes (RFC 3549 s.2; all in host order).
 *
 *     0 length u32 | 4 type u16 | 6 flags u16 | 8 sequence u32 | 12 port u32 | body | attributes
 *     attribute: 0 length u16 (header included) | 2 type u16 | payload, padded to 4
 */

export interface NetlinkMessage {
  readonly type: number;
  readonly body: Uint8Array;
}

export type Attributes = ReadonlyMap<number, Uint8Array>;

const headerBytes = 16;
const attributeHeaderBytes = 4;
/** NLA_F_NESTED and NLA_F_NET_BYTEORDER share the type field. */
const attributeTypeMask = 0x3fff;

export function encodeMessage(
  type: number,
  flags: number,
  sequence: number,
  parts: Uint8Array[],
): Uint8Array {
  const length = parts.reduce((sum, part) => sum + aligned(part.length), headerBytes);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint16(4, type, true);
  view.setUint16(6, flags, true);
  view.setUint32(8, sequence, true);
  let offset = headerBytes;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += aligned(part.length);
  }
  return bytes;
}

export function encodeAttribute(type: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(attributeHeaderBytes + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, bytes.length, true);
  view.setUint16(2, type, true);
  bytes.set(payload, attributeHeaderBytes);
  return bytes;
}

export function encodeU32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

/** Splits the bytes of one `recv`; a message with a wrong length ends the split. */
export function decodeMessages(bytes: Uint8Array): NetlinkMessage[] {
  const messages: NetlinkMessage[] = [];
  const view = viewOf(bytes);
  let offset = 0;
  while (offset + headerBytes <= bytes.length) {
    const length = view.getUint32(offset, true);
    if (length < headerBytes || offset + length > bytes.length) {
      break;
    }
    messages.push({
      type: view.getUint16(offset + 4, true),
      body: bytes.slice(offset + headerBytes, offset + length),
    });
    offset += aligned(length);
  }
  return messages;
}

export function decodeAttributes(bytes: Uint8Array): Attributes {
  const attributes = new Map<number, Uint8Array>();
  const view = viewOf(bytes);
  let offset = 0;
  while (offset + attributeHeaderBytes <= bytes.length) {
    const length = view.getUint16(offset, true);
    if (length < attributeHeaderBytes || offset + length > bytes.length) {
      break;
    }
    const type = view.getUint16(offset + 2, true) & attributeTypeMask;
    attributes.set(type, bytes.subarray(offset + attributeHeaderBytes, offset + length));
    offset += aligned(length);
  }
  return attributes;
}

export function readU32(bytes: Uint8Array | undefined): number | null {
  return bytes === undefined || bytes.length < 4 ? null : viewOf(bytes).getUint32(0, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}
