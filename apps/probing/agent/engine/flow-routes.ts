/**
 * Next hops of a sender by the kernel's own lookups, one for each flow: with its source, protocol and ports, so policy
 * rules hold and equal routes split flows as they do for the host's own traffic.
 *
 * For traces and pings. A lookup costs some 10 us and is reused for a second; consecutive probes with the same next hop
 * are filled in one call. Agents use NextHops, at any rate.
 */
import type { Clock } from "../../../../ffi/clock.ts";
import type { Hotpath } from "../../../../ffi/hotpath/hotpath.ts";
import {
  probeBytes,
  probeDstPortAt,
  probeProtocolAt,
  probeSrcPortAt,
  probesAt,
} from "../../../../ffi/hotpath/memory-layout.ts";
import type { Link } from "../../../../ffi/netlink/link.ts";
import { RouteReader, routedFlow } from "../../../../ffi/netlink/route.ts";
import { type Address, addressBytes, formatAddress } from "../../../../lib/net/ip/address.ts";
import { protocolOfNumber } from "../../../../lib/net/wire/protocol-number.ts";
import { Neighbours } from "./neighbours.ts";
import {
  allAddresses,
  destinationOf,
  forgetUs,
  hasNeighbours,
  refreshUs,
  type SenderRoutes,
} from "./next-hops.ts";

/** `name` is equal for flows with the same next hop. */
type Way =
  | { readonly name: string; readonly ok: true; readonly gateway: Address | null }
  | { readonly name: string; readonly ok: false; readonly reason: string };

/** Flows whose next hop is cached. */
const waysMax = 65_536;

export class FlowRoutes implements SenderRoutes {
  readonly #hotpath: Hotpath;
  readonly #link: Link;
  readonly #neighbours: Neighbours;
  readonly #reader = new RouteReader();
  readonly #memory: Buffer;
  readonly #ways = new Map<string, Way>();
  #inUse: string | null = null;
  #refreshAtUs = 0;
  #forgetAtUs = 0;

  constructor(hotpath: Hotpath, link: Link, clock: Clock) {
    this.#hotpath = hotpath;
    this.#link = link;
    this.#neighbours = new Neighbours(link, clock);
    this.#memory = Buffer.from(hotpath.bytes.buffer);
  }

  refresh(nowUs: number): void {
    if (nowUs < this.#refreshAtUs) {
      return;
    }
    this.#refreshAtUs = nowUs + refreshUs;
    if (nowUs >= this.#forgetAtUs) {
      this.#forgetAtUs = nowUs + forgetUs;
      this.#hotpath.forgetNeighbours();
    }
    this.#ways.clear();
    this.#inUse = null;
  }

  prepare(first: number, end: number): number {
    const way = this.#wayOf(first);
    this.#use(way);
    let next = first + 1;
    while (next < end && this.#wayOf(next).name === way.name) {
      next++;
    }
    return next;
  }

  resolve(slot: number): string | null {
    const way = this.#wayOf(slot);
    if (!way.ok) {
      return way.reason;
    }
    const destination = this.#hotpath.bytes.slice(...destinationOf(slot));
    const nextHop = way.gateway ?? destination;
    const reason = this.#neighbours.resolve(nextHop, way.gateway !== null);
    const mac = this.#neighbours.macOf(nextHop);
    if (reason === null && way.gateway === null && mac !== null) {
      this.#neighbours.forget(nextHop);
      this.#hotpath.rememberNeighbour(destination, mac);
    }
    this.#inUse = null;
    this.#use(way);
    return reason;
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }

  #use(way: Way): void {
    if (way.name === this.#inUse) {
      return;
    }
    this.#inUse = way.name;
    this.#hotpath.setRoutes(
      way.ok ? allAddresses().map((prefix) => this.#sendRoute(prefix, way.gateway)) : [],
    );
  }

  #sendRoute(prefix: ReturnType<typeof allAddresses>[number], gateway: Address | null) {
    if (!hasNeighbours(this.#link)) {
      return { prefix, kind: "gateway", mac: this.#link.mac } as const;
    }
    if (gateway === null) {
      return { prefix, kind: "onLink" } as const;
    }
    this.#neighbours.read(gateway);
    return { prefix, kind: "gateway", mac: this.#neighbours.macOf(gateway) } as const;
  }

  /** Destination, source and ports lie side by side. */
  #wayOf(slot: number): Way {
    const at = probesAt + slot * probeBytes;
    const protocol = this.#hotpath.view.getUint8(at + probeProtocolAt);
    const flow = `${protocol} ${this.#memory.toString("latin1", at, at + probeDstPortAt + 2)}`;
    const known = this.#ways.get(flow);
    if (known !== undefined) {
      return known;
    }
    if (this.#ways.size >= waysMax) {
      this.#ways.clear();
    }
    const way = this.#find(slot);
    this.#ways.set(flow, way);
    return way;
  }

  /** Always through this interface, as the frames leave by it. */
  #find(slot: number): Way {
    const [from, to] = destinationOf(slot);
    const destination = this.#hotpath.bytes.slice(from, to);
    const source = this.#hotpath.bytes.slice(to, to + addressBytes);
    const query = { destination, source, flow: this.#flowOf(slot) };
    const free = this.#reader.find(query);
    const { index } = this.#link;
    const isHere = free.ok && free.interfaceIndex === index;
    const route = isHere ? free : this.#reader.find({ ...query, interfaceIndex: index });
    if (!route.ok) {
      const reason = `no route to ${formatAddress(destination)} by ${this.#link.name}: ${route.reason}`;
      return { name: reason, ok: false, reason };
    }
    const { gateway } = route;
    return { name: gateway === null ? "on link" : formatAddress(gateway), ok: true, gateway };
  }

  #flowOf(slot: number) {
    const at = probesAt + slot * probeBytes;
    const { view } = this.#hotpath;
    const protocol = protocolOfNumber(view.getUint8(at + probeProtocolAt)) ?? "udp";
    const srcPort = view.getUint16(at + probeSrcPortAt, true);
    return routedFlow({ protocol, srcPort, dstPort: view.getUint16(at + probeDstPortAt, true) });
  }
}
