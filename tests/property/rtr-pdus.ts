/** PDUs as a cache of RTR writes them, for tests. */
import { pduTypes } from "../../lib/net/rpki/rtr/pdu.ts";

export const session = 0x1234;

/** `field`: the second pair of bytes of the head. */
export function pdu(type: number, field: number, body = "", version = 1): Uint8Array {
  const bytes = new Uint8Array(8 + body.length / 2);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setUint8(1, type);
  view.setUint16(2, field);
  view.setUint32(4, bytes.length);
  bytes.set(Uint8Array.fromHex(body), 8);
  return bytes;
}

const hex = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, "0");

export const response = (version = 1) => pdu(pduTypes.cacheResponse, session, "", version);
export const notify = (serial: number, version = 1) =>
  pdu(pduTypes.serialNotify, session, hex(serial, 4), version);

/** Version 0 has no intervals. */
export function endOfData(serial: number, version = 1, intervals = [3600, 600, 7200]): Uint8Array {
  const rest = version === 0 ? [] : intervals;
  return pdu(pduTypes.endOfData, session, [serial, ...rest].map((one) => hex(one, 4)).join(""), version);
}

/** 192.0.THIRD.0/24, and what it holds up to `maxLength`. */
export function ipv4(
  isAnnounced: boolean,
  third: number,
  { asn = 64_500, maxLength = 24, version = 1 } = {},
): Uint8Array {
  const body = `${isAnnounced ? "01" : "00"}18${hex(maxLength, 1)}00c000${hex(third, 1)}00${hex(asn, 4)}`;
  return pdu(pduTypes.ipv4Prefix, 0, body, version);
}

export const refusal = (code: number, version = 1) =>
  pdu(pduTypes.errorReport, code, `00000000${hex(2, 4)}6e6f`, version);
