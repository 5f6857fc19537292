/**
 * PDUs sent by a cache in the RPKI to Router Protocol, RTR: version 0 (RFC 6810), 1 (RFC 8210), and of version 2
 * (draft-ietf-sidrops-8210bis) the prefix PDUs.
 *
 * | bytes | head                 |   | type | behind the head                                                   |
 * |-------|----------------------|---|------|-------------------------------------------------------------------|
 * | 1     | version              |   | 0    | Serial Notify: serial                                             |
 * | 1     | type                 |   | 3, 8 | Cache Response, Cache Reset: nothing                              |
 * | 2     | session; error code  |   | 4, 6 | flags (1 = announced), length, longest length, a byte; prefix in  |
 * | 4     | length, head too     |   |      | 4 or 16 bytes; AS number                                          |
 * |       |                      |   | 7    | End of Data: serial; from version 1 on refresh, retry, expire     |
 * |       |                      |   | 9    | Router Key, from version 1 on: not read                           |
 * |       |                      |   | 10   | Error Report: u32 length and the wrong PDU, u32 length and text   |
 * |       |                      |   | 11   | ASPA: not read                                                    |
 *
 * Integers are big endian; reserved fields are ignored (RFC 8210 s.5). Malformed bytes throw an RtrFailure with the
 * RFC's error code.
 */
import { type Address, isIpv4, mapped } from "../../ip/address.ts";
import { prefixOf } from "../../ip/prefix.ts";
import { wordAt } from "../../ip/words.ts";
import type { Vrp } from "../origin-validation.ts";
import { pduBytesMax } from "./limits.ts";
import { errorCodes, RtrFailure } from "./rtr-failure.ts";

export type RtrVersion = 0 | 1 | 2;

export const pduTypes = {
  ...{ serialNotify: 0, serialQuery: 1, resetQuery: 2, cacheResponse: 3, ipv4Prefix: 4, ipv6Prefix: 6 },
  ...{ endOfData: 7, cacheReset: 8, routerKey: 9, errorReport: 10, aspa: 11 },
} as const;

export const headBytes = 8;

/** In seconds, as sent by the cache. */
export interface RtrIntervals {
  readonly refreshSec: number;
  readonly retrySec: number;
  readonly expireSec: number;
}

export type Pdu =
  | { readonly type: "serial notify"; readonly session: number; readonly serial: number }
  | { readonly type: "cache response"; readonly session: number }
  | { readonly type: "prefix"; readonly isAnnounced: boolean; readonly vrp: Vrp }
  | {
      readonly type: "end of data";
      readonly session: number;
      readonly serial: number;
      /** Null = version 0, which has none. */
      readonly intervals: RtrIntervals | null;
    }
  | { readonly type: "cache reset" | "router key" | "aspa" }
  /** The text is the cache's own: sanitise it before it is shown. */
  | { readonly type: "error report"; readonly code: number; readonly text: string };

/** Length of the PDU that begins at `at`, in bytes; null while its header is incomplete. */
export function pduLength(bytes: Uint8Array, at: number): number | null {
  if (bytes.length - at < headBytes) {
    return null;
  }
  const length = wordAt(bytes, at + 4);
  if (length < headBytes || length > pduBytesMax) {
    throw new RtrFailure(errorCodes.corruptData, `a PDU of type ${bytes[at + 1]} has ${length} bytes`);
  }
  return length;
}

/** Reads a whole PDU as one of this version, whatever version its header has. */
export function readPdu(bytes: Uint8Array, version: RtrVersion): Pdu {
  const type = bytes[1] ?? 0;
  switch (type) {
    case pduTypes.serialNotify:
      needLength(bytes, 12);
      return { type: "serial notify", session: numberAt(bytes, 2), serial: wordAt(bytes, 8) };
    case pduTypes.cacheResponse:
      needLength(bytes, headBytes);
      return { type: "cache response", session: numberAt(bytes, 2) };
    case pduTypes.cacheReset:
      needLength(bytes, headBytes);
      return { type: "cache reset" };
    case pduTypes.ipv4Prefix:
      needLength(bytes, 20);
      return prefixPdu(bytes, mapped(bytes, 12), 32);
    case pduTypes.ipv6Prefix:
      needLength(bytes, 32);
      return prefixPdu(bytes, bytes.slice(12, 28), 128);
    case pduTypes.endOfData:
      return endOfData(bytes, version);
    case pduTypes.errorReport:
      return errorReport(bytes);
    default:
      return skipped(type, version);
  }
}

function needLength(bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) {
    const words = `a PDU of type ${bytes[1]} has ${bytes.length} bytes, not ${length}`;
    throw new RtrFailure(errorCodes.corruptData, words);
  }
}

function numberAt(bytes: Uint8Array, at: number): number {
  return wordAt(bytes, at) >>> 16;
}

function prefixPdu(bytes: Uint8Array, base: Address, bits: 32 | 128): Pdu {
  const [flags = 0, length = 0, maxLength = 0] = bytes.subarray(8);
  if (length > maxLength || maxLength > bits) {
    const words = `a prefix of IPv${bits === 32 ? 4 : 6} has the length ${length}, and ${maxLength} at most`;
    throw new RtrFailure(errorCodes.corruptData, words);
  }
  // An IPv4-mapped IPv6 address would be read as IPv4.
  const isOtherFamily = bits === 128 && isIpv4(base);
  const prefix = prefixOf(base, isOtherFamily ? 0 : length);
  if (isOtherFamily || prefix.base.some((byte, i) => byte !== base[i])) {
    throw new RtrFailure(errorCodes.corruptData, `a prefix of ${length} bits has more than its network's`);
  }
  const vrp = { prefix, maxLength, asn: wordAt(bytes, bits === 32 ? 16 : 28) };
  return { type: "prefix", isAnnounced: (flags & 1) !== 0, vrp };
}

function endOfData(bytes: Uint8Array, version: RtrVersion): Pdu {
  needLength(bytes, version === 0 ? 12 : 24);
  const intervals = {
    refreshSec: wordAt(bytes, 12),
    retrySec: wordAt(bytes, 16),
    expireSec: wordAt(bytes, 20),
  };
  return {
    ...{ type: "end of data", session: numberAt(bytes, 2), serial: wordAt(bytes, 8) },
    intervals: version === 0 ? null : intervals,
  };
}

/** A malformed Error Report gets no Error Report in return (RFC 8210 s.5.11). */
function errorReport(bytes: Uint8Array): Pdu {
  const textAt = headBytes + 4 + wordAt(bytes, headBytes);
  const end = textAt + 4 + wordAt(bytes, textAt);
  if (bytes.length < headBytes + 8 || end !== bytes.length) {
    throw new RtrFailure(null, "an error report whose parts do not fit it");
  }
  const text = new TextDecoder().decode(bytes.subarray(textAt + 4, end));
  return { type: "error report", code: numberAt(bytes, 2), text };
}

function skipped(type: number, version: RtrVersion): Pdu {
  if (version > 0 && type === pduTypes.routerKey) {
    return { type: "router key" };
  }
  if (version > 0 && type === pduTypes.aspa) {
    return { type: "aspa" };
  }
  const isQuery = type === pduTypes.serialQuery || type === pduTypes.resetQuery;
  throw isQuery
    ? new RtrFailure(errorCodes.corruptData, "a cache sent a query")
    : new RtrFailure(errorCodes.unsupportedType, `a PDU of type ${type}`);
}
