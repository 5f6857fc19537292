/**
 * Where the probes of a flow leave this host: source and interface, as the kernel chooses them for a connected socket.
 *
 * The route gives the source; with equal routes both depend on the flow's ports. For IPv4, Linux then looks up the
 * route from that source (ip_route_connect), where rules may have another; for IPv6 it keeps the first one
 * (ip6_dst_lookup_tail). The sender finds the gateway by apps/probing/agent/engine/flow-routes.ts.
 */
import { networkInterfaces } from "node:os";
import { findLink, type Link } from "../../../ffi/netlink/link.ts";
import { isOwnAddress, RouteReader, routedFlow } from "../../../ffi/netlink/route.ts";
import { CommandError, cannot } from "../../../lib/command/command/command-error.ts";
import { isLoopback } from "../../../lib/engines/config/addresses.ts";
import { type Address, familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import { receiveInterfacesMax } from "./limits.ts";
import type { Options } from "./options.ts";
import type { Departure, NamedTarget } from "./target.ts";

export class Departures implements Disposable {
  readonly #options: Options;
  readonly #reader = new RouteReader();
  readonly #links = new Map<number, Link | null>();
  readonly #askedLink: Link | null;

  /** Throws CommandError for an interface or a source that this host does not have. */
  constructor(options: Options) {
    this.#options = options;
    const { interfaceName, source, spoof } = options;
    this.#askedLink = interfaceName === null ? null : findLink(interfaceName);
    if (interfaceName !== null && this.#askedLink === null) {
      throw cannot(`Cannot use interface ${interfaceName}: there is none (see: ip link)`);
    }
    if (source !== null && !spoof && !isOwnAddress(source)) {
      throw cannot(
        `Cannot send from ${formatAddress(source)}: it is not an address of this host (see: ip address); ` +
          "if its prefix is routed to this host, add --spoof",
      );
    }
  }

  /** Throws CommandError, which names the target and the next step. */
  of(target: NamedTarget, srcPort: number): Departure {
    const { source: asked } = this.#options;
    if (asked !== null && isLoopback(formatAddress(asked))) {
      this.#checkLoopback(target, srcPort, asked);
    }
    const first = this.#find(target, srcPort, asked ?? undefined);
    const isFinal = asked !== null || familyOf(target.address) === 6;
    const { source, link } = isFinal ? first : this.#find(target, srcPort, first.source);
    return { source, interfaceName: link.name };
  }

  /** Null where `of` throws CommandError. */
  tryOf(target: NamedTarget, srcPort: number): Departure | null {
    try {
      return this.of(target, srcPort);
    } catch (error) {
      if (error instanceof CommandError) {
        return null;
      }
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }

  /** From such a source Linux has no IPv4 route to elsewhere, and sends IPv6 that cannot be answered. */
  #checkLoopback(target: NamedTarget, srcPort: number, source: Address): void {
    if (!this.#find(target, srcPort, undefined).link.loopback) {
      throw cannot(
        `Cannot reach ${target.name} from ${formatAddress(source)}: a loopback address reaches only this host; ` +
          "leave -s out, or give another address of this host (see: ip address)",
      );
    }
  }

  #find(target: NamedTarget, srcPort: number, source: Address | undefined) {
    const { address: destination, protocol } = target;
    const { dstPort } = this.#options;
    const interfaceIndex = this.#linkFor(target)?.index;
    const flow = routedFlow({ protocol, srcPort, dstPort });
    const found = this.#reader.find({ destination, source, interfaceIndex, flow });
    const link = found.ok ? this.#linkOfIndex(found.interfaceIndex) : null;
    if (!found.ok || link === null || found.source === null) {
      const reason = found.ok ? "its interface has no address; give one with -s" : found.reason;
      throw this.#unreachable(target, source, reason);
    }
    return { source: found.source, link };
  }

  /** The zone's or -i's interface. Throws CommandError for one that this host does not have. */
  #linkFor({ name, zone }: NamedTarget): Link | null {
    if (zone === undefined) {
      return this.#askedLink;
    }
    const link = findLink(zone);
    if (link === null) {
      throw cannot(`Cannot probe ${name}: there is no interface ${zone} (see: ip link)`);
    }
    return link;
  }

  #linkOfIndex(index: number): Link | null {
    const known = this.#links.get(index);
    if (known !== undefined) {
      return known;
    }
    const link = findLink(index);
    this.#links.set(index, link);
    return link;
  }

  #unreachable({ name, address }: NamedTarget, source: Address | undefined, reason: string) {
    const by = this.#askedLink === null ? "" : ` by ${this.#askedLink.name}`;
    const from = source === undefined ? "" : ` from ${formatAddress(source)}`;
    return cannot(
      `Cannot reach ${name}${by}${from}: ${reason} (see: ip route get ${formatAddress(address)}${from})`,
    );
  }
}

/**
 * Additional interfaces on which answers may arrive: where a source belongs to another interface, to loopback or to
 * none, the network may return them to any that has an address.
 */
export function otherArrivals(departures: readonly Departure[]): string[] {
  const interfaces = Object.entries(networkInterfaces());
  const owner = (source: Address) => {
    const text = formatAddress(source);
    return interfaces.find(([, addresses]) => addresses?.some(({ address }) => address === text))?.[0];
  };
  const used = new Set(departures.map(({ interfaceName }) => interfaceName));
  const foreign = departures.filter(
    ({ source, interfaceName }) => !isLoopbackInterface(interfaceName) && owner(source) !== interfaceName,
  );
  if (foreign.length === 0) {
    return [];
  }
  const others = interfaces
    .map(([name]) => name)
    .filter((name) => !used.has(name) && !isLoopbackInterface(name));
  return others.slice(0, receiveInterfacesMax);
}

function isLoopbackInterface(interfaceName: string): boolean {
  return findLink(interfaceName)?.loopback ?? true;
}
