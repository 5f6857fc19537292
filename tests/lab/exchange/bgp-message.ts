/**
 * BGP-4 messages as a test peer sends them (RFC 4271, 4760, 6793, 8950): also such as nobody should send. A header is
 * 16 bytes of ones, 2 bytes of length, 1 byte of type. Numbers are in network order.
 */
import { address } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";

export const messageType = { open: 1, update: 2, notification: 3, keepalive: 4, refresh: 5 } as const;

/** RFC 5492: its code, and its value. */
export type Capability = readonly [code: number, value: readonly number[]];

/** Graceful restart (RFC 4724) of IPv6 routes: "I am away for a moment, forward for me", for so many seconds. */
export function gracefulRestart(seconds: number): Capability {
  return [64, [...u16(0x8000 | seconds), 0, 2, 1, 0x80]];
}

/** Long-lived graceful restart (RFC 9494) of IPv6 routes, for so many seconds. */
export function longLived(seconds: number): Capability {
  return [71, [0, 2, 1, 0x80, ...u32(seconds).slice(1)]];
}

/** An attribute as it goes over the wire. */
export type RawAttribute = readonly [flags: number, type: number, value: readonly number[]];

/** A number is an AS of a sequence; a list is an AS_SET. */
export type Path = readonly (number | readonly number[])[];

export interface Announcement {
  readonly prefix: string;
  readonly path: Path;
  /** IPv4 (RFC 8950) or IPv6; two IPv6 ones with a space between: the second is link-local (RFC 2545). */
  readonly nextHop: string;
  /** 0 = IGP. */
  readonly origin?: number;
  readonly med?: number;
  /** RFC 8092. */
  readonly largeCommunities?: readonly (readonly [number, number, number])[];
  /** Communities (RFC 1997), each a number of 32 bits. */
  readonly communities?: readonly number[];
  /** What else is said of the route. */
  readonly more?: readonly RawAttribute[];
  /** Number of the path where several are announced (RFC 7911). */
  readonly pathId?: number;
}

export interface Opening {
  readonly asn: number;
  readonly routerId: string;
  readonly holdSec: number;
  /** Besides IPv6 routes with IPv4 next hops. */
  readonly capabilities?: readonly Capability[];
  /** Written into the old field of 2 bytes; the AS itself, or AS_TRANS, when left out. */
  readonly shortAsn?: number;
  /** Leaves out the capability of AS numbers of 4 bytes (RFC 6793). */
  readonly isShortOnly?: boolean;
}

function message(type: number, body: Uint8Array): Uint8Array {
  return bytes(new Uint8Array(16).fill(0xff), u16(19 + body.length), [type], body);
}

/** IPv6 routes with IPv4 next hops, AS numbers of 4 bytes, and no route refresh: such a peer has to be judged again. */
export function open({ asn, routerId, holdSec, ...rest }: Opening): Uint8Array {
  const { capabilities = [], isShortOnly = false, shortAsn = asn > 0xffff ? 23_456 : asn } = rest;
  const all: Capability[] = [
    [1, [0, 2, 0, 1]],
    [5, [0, 2, 0, 1, 0, 1]],
    ...(isShortOnly ? [] : [[65, [...u32(asn)]] as const]),
    ...capabilities,
  ];
  const list = bytes(...all.map(([code, value]) => capability(code, value)));
  const parameters = bytes([2, list.length], list);
  const body = bytes([4], u16(shortAsn), u16(holdSec), v4(routerId), [parameters.length], parameters);
  return message(messageType.open, body);
}

/** Route refresh (RFC 2918) of IPv6; with RFC 7313 its begin (1) and its end (2). */
export function refresh(subtype: number): Uint8Array {
  return message(messageType.refresh, bytes([0, 2, subtype, 1]));
}

/** End of the first routes (RFC 4724 s.2). */
export const endOfRib = message(messageType.update, bytes(u16(0), u16(6), [0x80, 15, 3], [0, 2, 1]));

export function announce(announcement: Announcement): Uint8Array {
  const { prefix, path, nextHop, med, largeCommunities = [], communities = [], more = [] } = announcement;
  const hops = nextHop.split(" ").map((hop) => (hop.includes(":") ? address(hop) : v4(hop)));
  const hop = bytes(...hops);
  const reach = bytes([0, 2, 1, hop.length], hop, [0], pathId(announcement), nlri(prefix));
  const attributes = bytes(
    attribute(0x40, 1, [announcement.origin ?? 0]),
    attribute(0x40, 2, segments(path)),
    ...(med === undefined ? [] : [attribute(0x80, 4, u32(med))]),
    attribute(0x80, 14, reach),
    ...(communities.length === 0 ? [] : [attribute(0xc0, 8, bytes(...communities.map(u32)))]),
    ...more.map(([flags, type, value]) => attribute(flags, type, value)),
    ...(largeCommunities.length === 0
      ? []
      : [attribute(0xc0, 32, bytes(...largeCommunities.flat().map(u32)))]),
  );
  return message(messageType.update, bytes(u16(0), u16(attributes.length), attributes));
}

/** A route of the old form, in the message itself. */
export function announceFour(prefix: string, path: Path, nextHop: string): Uint8Array {
  const attributes = bytes(
    attribute(0x40, 1, [0]),
    attribute(0x40, 2, segments(path)),
    attribute(0x40, 3, v4(nextHop)),
  );
  const [host = "", length = ""] = prefix.split("/");
  const route = bytes([Number(length)], v4(host).slice(0, Math.ceil(Number(length) / 8)));
  return message(messageType.update, bytes(u16(0), u16(attributes.length), attributes, route));
}

/** `family`: 2 = IPv6; another one is a lie. */
export function withdraw(prefix: string, family = 2): Uint8Array {
  const attributes = attribute(0x80, 15, bytes([0, family, 1], nlri(prefix)));
  return message(messageType.update, bytes(u16(0), u16(attributes.length), attributes));
}

export const keepalive = message(messageType.keepalive, new Uint8Array(0));

function pathId({ pathId: id }: Pick<Announcement, "pathId">): Uint8Array {
  return id === undefined ? new Uint8Array(0) : u32(id);
}

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
