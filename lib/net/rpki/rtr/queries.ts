/** What a router sends to a cache: RFC 8210 s.5.3, 5.4 and 5.11. */
import { quotedBytesMax } from "./limits.ts";
import { headBytes, pduTypes, type RtrVersion } from "./pdu.ts";

/** Session and serial of a cache's data. */
export interface RtrPosition {
  /** Differs for each run of a cache. */
  readonly session: number;
  readonly serial: number;
}

export function resetQuery(version: RtrVersion): Uint8Array {
  return pdu(version, pduTypes.resetQuery, 0, new Uint8Array(0));
}

export function serialQuery(version: RtrVersion, { session, serial }: RtrPosition): Uint8Array {
  return pdu(version, pduTypes.serialQuery, session, words(serial));
}

interface ErrorParts {
  readonly code: number;
  /** The start of the erroneous PDU, as far as it is quoted; empty = no particular PDU. */
  readonly wrong: Uint8Array;
  readonly text: string;
}

export function errorReport(version: RtrVersion, { code, wrong, text }: ErrorParts): Uint8Array {
  const [quoted, textBytes] = [wrong.subarray(0, quotedBytesMax), new TextEncoder().encode(text)];
  const body = Buffer.concat([words(quoted.length), quoted, words(textBytes.length), textBytes]);
  return pdu(version, pduTypes.errorReport, code, body);
}

function words(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function pdu(version: RtrVersion, type: number, field: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headBytes + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setUint8(1, type);
  view.setUint16(2, field);
  view.setUint32(4, bytes.length);
  bytes.set(body, headBytes);
  return bytes;
}
