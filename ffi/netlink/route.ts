/** Routes as the kernel selects them (RTM_GETROUTE): lookups, and the whole table of an interface. */
import { type Address, addressBytes, type Family, familyOf, mapped } from "../../lib/net/ip/address.ts";
import { type Prefix, prefixOf } from "../../lib/net/ip/prefix.ts";
import { ianaNumber, type Probe } from "../../lib/net/packet/probe.ts";
import { SystemError } from "../libc.ts";
import { afInet, afInet6 } from "../linux-abi.ts";
import { mainTable, messageType, routeAttribute, routeKind } from "./constants.ts";
import {
  type Attributes,
  decodeAttributes,
  encodeAttribute,
  encodeU32,
  type NetlinkMessage,
  readU32,
} from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

/** The key of a route lookup. */
interface RouteQuery {
  readonly destination: Address;
  /** Used in policy routing. Absent = the kernel chooses one. */
  readonly source?: Address | undefined;
  readonly interfaceIndex?: number | undefined;
  /** Used for selection among equal routes, and in rules that name ports. */
  readonly flow?: RoutedFlow | undefined;
}

/** `protocol` is the IANA number; protocols without ports have none. */
interface RoutedFlow {
  readonly protocol: number;
  readonly ports?: { readonly src: number; readonly dst: number } | undefined;
}

/** A probe's flow as seen by routing: ICMP has no ports, so all its flows take one path, as the kernel's do. */
export function routedFlow({ protocol, srcPort, dstPort }: Omit<Probe, "dst" | "ttl">): RoutedFlow {
  const hasPorts = protocol === "udp" || protocol === "tcp";
  return {
    protocol: ianaNumber[protocol],
    ports: hasPorts ? { src: srcPort, dst: dstPort } : undefined,
  };
}

type RouteLookup =
  | {
      readonly ok: true;
      readonly interfaceIndex: number;
      /** The requested source, else the one that the kernel would use; null where the interface has none. */
      readonly source: Address | null;
      /** Null when the destination is on-link. */
      readonly gateway: Address | null;
    }
  | { readonly ok: false; readonly reason: string };

export interface InterfaceRoute {
  readonly prefix: Prefix;
  readonly gateway: Address | null;
  /** The lower one wins among routes to the same prefix. */
  readonly metric: number;
}

const routeBodyBytes = 12;

/** Looks up routes through one socket. */
export class RouteReader implements Disposable {
  readonly #socket = new NetlinkSocket();

  /**
   * Returns the kernel's route to a destination.
   *
   * For a source on no interface, the usual case of a routed prefix, the kernel returns no IPv4 route at all; the
   * lookup is then made without the source. The host's own address is never left out for that: rules may have refused
   * it. With an IPv6 source the kernel ignores the requested interface; then it is left out, too.
   */
  find(query: RouteQuery): RouteLookup {
    const { source, interfaceIndex } = query;
    const found = this.#lookUp(query);
    if (found.ok && interfaceIndex !== undefined && found.interfaceIndex !== interfaceIndex) {
      return source === undefined
        ? { ok: false, reason: "the kernel has no route through this interface" }
        : this.#withoutSource(query, source);
    }
    return found.ok || source === undefined || isOwnAddress(source)
      ? found
      : this.#withoutSource(query, source);
  }

  #withoutSource(query: RouteQuery, source: Address): RouteLookup {
    const found = this.find({ ...query, source: undefined });
    return found.ok ? { ...found, source } : found;
  }

  #lookUp(query: RouteQuery): RouteLookup {
    try {
      return toLookup(this.#socket.request(messageType.getRoute, 0, encodeQuery(query))[0], query);
    } catch (error) {
      if (error instanceof SystemError) {
        return { ok: false, reason: `the kernel has no route (${error.errnoName})` };
      }
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }
}

/** One lookup: see RouteReader. */
export function lookupRoute(query: RouteQuery): RouteLookup {
  using reader = new RouteReader();
  return reader.find(query);
}

/** Whether this is an address of the host (the kernel delivers it locally). */
export function isOwnAddress(address: Address): boolean {
  using socket = new NetlinkSocket();
  try {
    const [message] = socket.request(messageType.getRoute, 0, encodeQuery({ destination: address }));
    return message?.body[7] === routeKind.local;
  } catch (error) {
    if (error instanceof SystemError) {
      return false;
    }
    throw error;
  }
}

/** The unicast routes of the main table that leave by an interface, longest prefix first, best metric first. */
export function routesOf(interfaceIndex: number, family: Family): InterfaceRoute[] {
  using socket = new NetlinkSocket();
  const body = new Uint8Array(routeBodyBytes);
  body[0] = family === 4 ? afInet : afInet6;
  return socket
    .dump(messageType.getRoute, [body])
    .flatMap((message) => toInterfaceRoutes(message, interfaceIndex))
    .sort((a, b) => b.prefix.length - a.prefix.length || a.metric - b.metric);
}

function encodeQuery({ destination, source, interfaceIndex, flow }: RouteQuery): Uint8Array[] {
  const body = new Uint8Array(routeBodyBytes);
  const ipv4 = familyOf(destination) === 4;
  const bits = ipv4 ? 32 : 128;
  body.set([ipv4 ? afInet : afInet6, bits, source === undefined ? 0 : bits]);
  const parts = [body, encodeAttribute(routeAttribute.destination, kernelAddress(destination))];
  if (source !== undefined) {
    parts.push(encodeAttribute(routeAttribute.source, kernelAddress(source)));
  }
  if (interfaceIndex !== undefined) {
    parts.push(encodeAttribute(routeAttribute.outputInterface, encodeU32(interfaceIndex)));
  }
  return [...parts, ...(flow === undefined ? [] : encodeFlow(flow))];
}

function encodeFlow({ protocol, ports }: RoutedFlow): Uint8Array[] {
  const parts = [encodeAttribute(routeAttribute.ipProtocol, Uint8Array.of(protocol))];
  if (ports !== undefined) {
    parts.push(encodeAttribute(routeAttribute.srcPort, encodePort(ports.src)));
    parts.push(encodeAttribute(routeAttribute.dstPort, encodePort(ports.dst)));
  }
  return parts;
}

/** In network order, unlike the rest. */
function encodePort(port: number): Uint8Array {
  return Uint8Array.of(port >> 8, port & 0xff);
}

/**
 * rtmsg: 0 family | 1 destination bits | 2 source bits | 3 tos | 4 table | 5 protocol | 6 scope | 7 type | 8 flags.
 *
 * The reply has RTA_PREFSRC only where it differs from the requested source (IPv4).
 */
function toLookup(message: NetlinkMessage | undefined, { source }: RouteQuery): RouteLookup {
  if (message === undefined) {
    return { ok: false, reason: "the kernel returned no route" };
  }
  const kind = message.body[7];
  if (kind !== routeKind.unicast && kind !== routeKind.local) {
    return { ok: false, reason: refusedKind(kind) };
  }
  const attributes = decodeAttributes(message.body.subarray(routeBodyBytes));
  const interfaceIndex = readU32(attributes.get(routeAttribute.outputInterface));
  if (interfaceIndex === null) {
    return { ok: false, reason: "the route has no interface" };
  }
  const preferred = internalAddress(attributes.get(routeAttribute.preferredSource));
  return { ok: true, interfaceIndex, source: source ?? preferred, gateway: gatewayOf(attributes) };
}

function refusedKind(kind: number | undefined): string {
  const name = Object.entries(routeKind).find(([, number]) => number === kind)?.[0] ?? `of type ${kind}`;
  const isManyHosts = kind === routeKind.broadcast || kind === routeKind.multicast;
  return isManyHosts ? `it is a ${name} address: give the address of one host` : `the route is ${name}`;
}

function toInterfaceRoutes(message: NetlinkMessage, interfaceIndex: number): InterfaceRoute[] {
  const [familyNumber, bits = 0, , , tableByte, , , kind] = message.body;
  const attributes = decodeAttributes(message.body.subarray(routeBodyBytes));
  const table = readU32(attributes.get(routeAttribute.table)) ?? tableByte;
  if (message.type !== messageType.newRoute || kind !== routeKind.unicast || table !== mainTable) {
    return [];
  }
  const unspecified = familyNumber === afInet ? mapped([0, 0, 0, 0]) : new Uint8Array(addressBytes);
  const base = internalAddress(attributes.get(routeAttribute.destination)) ?? unspecified;
  const prefix = prefixOf(base, bits);
  const metric = readU32(attributes.get(routeAttribute.priority)) ?? 0;
  const hops = nextHops(attributes).filter((hop) => hop.interfaceIndex === interfaceIndex);
  return hops.map((hop) => ({ prefix, gateway: hop.gateway, metric }));
}

interface NextHop {
  readonly interfaceIndex: number | null;
  readonly gateway: Address | null;
}

/** rtnexthop, one for each path of an equal-cost route: 0 length u16 | 4 interface i32 | 8 attributes. */
function nextHops(attributes: Attributes): NextHop[] {
  const paths = attributes.get(routeAttribute.multipath);
  if (paths === undefined) {
    const interfaceIndex = readU32(attributes.get(routeAttribute.outputInterface));
    return [{ interfaceIndex, gateway: gatewayOf(attributes) }];
  }
  const hops: NextHop[] = [];
  const view = new DataView(paths.buffer, paths.byteOffset, paths.byteLength);
  let offset = 0;
  while (offset + 8 <= paths.length) {
    const length = view.getUint16(offset, true);
    if (length < 8 || offset + length > paths.length) {
      break;
    }
    const own = decodeAttributes(paths.subarray(offset + 8, offset + length));
    hops.push({ interfaceIndex: view.getInt32(offset + 4, true), gateway: gatewayOf(own) });
    offset += (length + 3) & ~3;
  }
  return hops;
}

/** RTA_VIA is a next hop of the other family: 0 family u16 | address. */
function gatewayOf(attributes: Attributes): Address | null {
  const gateway = internalAddress(attributes.get(routeAttribute.gateway));
  return gateway ?? internalAddress(attributes.get(routeAttribute.via)?.subarray(2));
}

function kernelAddress(address: Address): Uint8Array {
  return familyOf(address) === 4 ? address.subarray(12) : address;
}

function internalAddress(bytes: Uint8Array | undefined): Address | null {
  if (bytes?.length === 4) {
    return mapped(bytes);
  }
  return bytes?.length === addressBytes ? bytes.slice() : null;
}
