/**
 * The BGP OPEN message (RFC 4271 s.4.2) and its capabilities (RFC 5492).
 *
 * | bytes | field                                                      |
 * |-------|------------------------------------------------------------|
 * | 19    | head                                                       |
 * | 1     | version, 4                                                 |
 * | 2     | AS number, or 23456                                        |
 * | 2     | hold time in seconds                                       |
 * | 4     | id of the router                                           |
 * | 1     | length of the optional parameters, then these              |
 */
import { type Family, mapped } from "../ip/address.ts";

/** Whether a speaker receives or sends several paths to a prefix (RFC 7911 s.4). */
interface AddPathModes {
  readonly takes: boolean;
  readonly sends: boolean;
}

export interface Open {
  readonly asn: number;
  readonly holdSec: number;
  readonly routerId: string;
  /** Whether it supports four-byte AS numbers (RFC 6793). */
  readonly hasWideAsns: boolean;
  /** By family; a family that is missing has one path to a prefix. */
  readonly paths: ReadonlyMap<Family, AddPathModes>;
}

const [asnAt, holdAt, idAt, parametersAt] = [20, 22, 24, 28] as const;
/** RFC 9072: parameter lengths have two bytes. */
const extended = 255;
const capabilitiesType = 2;
const [wideAsnCode, addPathCode] = [65, 69];

/** Throws RangeError when it is cut short. */
export function readOpen(message: Uint8Array): Open {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  let asn = view.getUint16(asnAt);
  let hasWideAsns = false;
  const paths = new Map<Family, AddPathModes>();
  for (const { code, value } of capabilitiesOf(message, view)) {
    if (code === wideAsnCode && value.length === 4) {
      asn = new DataView(value.buffer, value.byteOffset).getUint32(0);
      hasWideAsns = true;
    } else if (code === addPathCode) {
      addPaths(value, paths);
    }
  }
  return { asn, holdSec: view.getUint16(holdAt), routerId: idIn(message), hasWideAsns, paths };
}

interface Capability {
  readonly code: number;
  readonly value: Uint8Array;
}

function* capabilitiesOf(message: Uint8Array, view: DataView): Generator<Capability> {
  const isExtended = message[parametersAt] === extended && message[parametersAt + 1] === extended;
  const sizeBytes = isExtended ? 2 : 1;
  const sizeOf = (at: number) => (isExtended ? view.getUint16(at) : view.getUint8(at));
  let at = parametersAt + (isExtended ? 4 : 1);
  while (at < message.length) {
    const type = view.getUint8(at);
    const start = at + 1 + sizeBytes;
    const end = start + sizeOf(at + 1);
    if (end > message.length) {
      throw new RangeError(`the OPEN of ${message.length} bytes ends within a parameter`);
    }
    if (type === capabilitiesType) {
      yield* capabilitiesIn(message.subarray(start, end));
    }
    at = end;
  }
}

function* capabilitiesIn(bytes: Uint8Array): Generator<Capability> {
  for (let at = 0; at + 1 < bytes.length; ) {
    const end = at + 2 + (bytes[at + 1] ?? 0);
    if (end > bytes.length) {
      throw new RangeError("the OPEN ends within a capability");
    }
    yield { code: bytes[at] ?? 0, value: bytes.subarray(at + 2, end) };
    at = end;
  }
}

/** u16 AFI, u8 SAFI (1 = unicast), u8 1 = receives, 2 = sends, 3 = both. */
function addPaths(value: Uint8Array, paths: Map<Family, AddPathModes>): void {
  for (let at = 0; at + 4 <= value.length; at += 4) {
    const direction = value[at + 3] ?? 0;
    if (value[at] === 0 && value[at + 2] === 1) {
      paths.set(value[at + 1] === 2 ? 6 : 4, { takes: (direction & 1) !== 0, sends: (direction & 2) !== 0 });
    }
  }
}

function idIn(message: Uint8Array): string {
  return [...mapped(message, idAt).subarray(12)].join(".");
}
