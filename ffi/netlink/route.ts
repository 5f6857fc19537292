/** Routes as the kernel chooses them (RTM_GETROUTE): one look-up, and the whole table of an interface. */
import { type Address, addressBytes, type Family, familyOf, mapped } from "../../lib/ip/address.ts";
import { type Prefix, prefixOf } from "../../lib/ip/prefix.ts";
import { SystemError } from "../libc.ts";
import { afInet, afInet6 } from "../linux-abi.ts";
import { mainTable, messageType, routeAttribute, routeKind } from "./constants.ts";
import { findLink } from "./link.ts";
import {
  type Attributes,
  decodeAttributes,
  encodeAttribute,
  encodeU32,
  type NetlinkMessage,
  readU32,
} from "./message.ts";
import { NetlinkSocket } from "./socket.ts";

type RouteLookup =
  | {
      readonly ok: true;
      readonly interfaceName: string;
      readonly interfaceIndex: number;
      /** The source address that the kernel would use. */
      readonly source: Address;
      /** Null when the destination is on the link itself. */
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

/**
 * Asks the kernel how it would reach `destination`.
 *
 * `source` takes part in policy routing where the kernel allows it: for IPv4 it knows no route from an address that
 * is on no interface, the usual case of a routed prefix; then the look-up is made without it.
 */
export function lookupRoute(destination: Address, source?: Address, interfaceIndex?: number): RouteLookup {
  using socket = new NetlinkSocket();
  try {
    return toLookup(socket.request(messageType.getRoute, 0, query(destination, source, interfaceIndex))[0]);
  } catch (error) {
    if (!(error instanceof SystemError)) {
      throw error;
    }
    if (source !== undefined) {
      return lookupRoute(destination, undefined, interfaceIndex);
    }
    return { ok: false, reason: `the kernel has no route (${error.errnoName})` };
  }
}

/** Whether this is an address of the host (the kernel delivers it locally). */
export function isOwnAddress(address: Address): boolean {
  using socket = new NetlinkSocket();
  try {
    const [message] = socket.request(messageType.getRoute, 0, query(address, undefined, undefined));
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

function query(destination: Address, source: Address | undefined, interfaceIndex: number | undefined) {
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
  return parts;
}

/** rtmsg: 0 family | 1 destination bits | 2 source bits | 3 tos | 4 table | 5 protocol | 6 scope | 7 type | 8 flags. */
function toLookup(message: NetlinkMessage | undefined): RouteLookup {
  if (message === undefined) {
    return { ok: false, reason: "the kernel gave no answer" };
  }
  const kind = message.body[7];
  if (kind !== routeKind.unicast && kind !== routeKind.local) {
    return { ok: false, reason: `the route is ${routeKindName(kind)}` };
  }
  const attributes = decodeAttributes(message.body.subarray(routeBodyBytes));
  const index = readU32(attributes.get(routeAttribute.outputInterface));
  const link = index === null ? null : findLink(index);
  const source = internalAddress(attributes.get(routeAttribute.preferredSource));
  if (link === null || source === null) {
    return { ok: false, reason: "the route has no interface or no source address" };
  }
  return {
    ok: true,
    interfaceName: link.name,
    interfaceIndex: link.index,
    source,
    gateway: gatewayOf(attributes),
  };
}

function routeKindName(kind: number | undefined): string {
  return Object.entries(routeKind).find(([, number]) => number === kind)?.[0] ?? `of type ${kind}`;
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
