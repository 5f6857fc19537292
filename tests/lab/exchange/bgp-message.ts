/**
 * BGP-4 messages as a test peer sends them (RFC 4271, 4760, 6793, 8950): also such as nobody should send. A header is
 * 16 bytes of ones, 2 bytes of length, 1 byte of type. Numbers are in network order.
 */
import { address } from "../../../lib/ip/address.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";

export const messageType = { open: 1, update: 2, notification: 3, keepalive: 4 } as const;

/** A number is an AS of a sequence; a list is an AS_SET. */
export type Path = readonly (number | readonly number[])[];

export interface Announcement {
  readonly prefix: string;
  readonly path: Path;
  /** IPv4 (RFC 8950) or IPv6. */
  readonly nextHop: string;
  readonly med?: number;
  /** RFC 8092. */
  readonly largeCommunities?: readonly (readonly [number, number, number])[];
}

export function message(type: number, body: Uint8Array): Uint8Array {
  return bytes(new Uint8Array(16).fill(0xff), u16(19 + body.length), [type], body);
}

/** IPv6 routes with IPv4 next hops, AS numbers of 4 bytes, and no route refresh: such a peer has to be judged anew. */
export function open(asn: number, routerId: string, holdSec: number): Uint8Array {
  const capabilities = bytes(
    capability(1, [0, 2, 0, 1]),
    capability(5, [0, 2, 0, 1, 0, 1]),
    capability(65, u32(asn)),
  );
  const parameters = bytes([2, capabilities.length], capabilities);
  const shortAsn = asn > 0xffff ? 23_456 : asn;
  const body = bytes([4], u16(shortAsn), u16(holdSec), v4(routerId), [parameters.length], parameters);
  return message(messageType.open, body);
}

export function announce(announcement: Announcement): Uint8Array {
  const { prefix, path, nextHop, med, largeCommunities = [] } = announcement;
  const hop = nextHop.includes(":") ? address(nextHop) : v4(nextHop);
  const reach = bytes([0, 2, 1, hop.length], hop, [0], nlri(prefix));
  const attributes = bytes(
    attribute(0x40, 1, [0]),
    attribute(0x40, 2, segments(path)),
    ...(med === undefined ? [] : [attribute(0x80, 4, u32(med))]),
    attribute(0x80, 14, reach),
    ...(largeCommunities.length === 0
      ? []
      : [attribute(0xc0, 32, bytes(...largeCommunities.flat().map(u32)))]),
  );
  return message(messageType.update, bytes(u16(0), u16(attributes.length), attributes));
}

export function withdraw(prefix: string): Uint8Array {
  const attributes = attribute(0x80, 15, bytes([0, 2, 1], nlri(prefix)));
  return message(messageType.update, bytes(u16(0), u16(attributes.length), attributes));
}

export const keepalive = message(messageType.keepalive, new Uint8Array(0));

function segments(path: Path): Uint8Array {
  const parts: Uint8Array[] = [];
  let sequence: number[] = [];
  const end = () => {
    if (sequence.length > 0) {
      parts.push(bytes([2, sequence.length], ...sequence.map(u32)));
    }
    sequence = [];
  };
  for (const step of path) {
    if (typeof step === "number") {
      sequence.push(step);
    } else {
      end();
      parts.push(bytes([1, step.length], ...step.map(u32)));
    }
  }
  end();
  return bytes(...parts);
}

/** Written as it is given: host bits too. */
function nlri(text: string): Uint8Array {
  const [host = "", length = ""] = text.split("/");
  const whole = parsePrefix(text)?.base ?? address(host);
  return bytes([Number(length)], whole.slice(0, Math.ceil(Number(length) / 8)));
}

function attribute(flags: number, type: number, value: ArrayLike<number>): Uint8Array {
  return bytes([flags | 0x10, type], u16(value.length), value);
}

function capability(code: number, value: ArrayLike<number>): Uint8Array {
  return bytes([code, value.length], value);
}

function v4(text: string): Uint8Array {
  return address(text).slice(12);
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value);
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

function bytes(...parts: ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}
