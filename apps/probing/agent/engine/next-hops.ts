/** A sender's next hops from the main table: its interface's routes and each gateway's MAC, kept fresh. */
import type { Clock } from "../../../../ffi/clock.ts";
import type { Hotpath, SendRoute } from "../../../../ffi/hotpath/hotpath.ts";
import { probeBytes, probesAt, routesMax } from "../../../../ffi/hotpath/memory-layout.ts";
import type { Link } from "../../../../ffi/netlink/link.ts";
import { type InterfaceRoute, routesOf } from "../../../../ffi/netlink/route.ts";
import { addressBytes, formatAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix, prefixContains } from "../../../../lib/net/ip/prefix.ts";
import { Neighbours } from "./neighbours.ts";

/** How a sender's frames get their next hop; FlowRoutes is the other implementation. */
export interface SenderRoutes extends Disposable {
  /** Refreshes what may have changed, when it is due. */
  refresh(nowUs: number): void;
  /** Sets the routes that the next `fill` uses; returns the end of the run of slots from `first` that they are for. */
  prepare(first: number, end: number): number;
  /** Resolves the next hop of a slot that `fill` stopped at. Null when its frame can be filled now, else the reason. */
  resolve(slot: number): string | null;
}

/** Routes and gateways are read again this often; neighbours on the link, half a minute apart. */
export const refreshUs = 1e6;
export const forgetUs = 30e6;

export class NextHops implements SenderRoutes {
  readonly #hotpath: Hotpath;
  readonly #link: Link;
  readonly #neighbours: Neighbours;
  #routes: InterfaceRoute[] = [];
  #refreshAtUs = 0;
  #forgetAtUs = 0;

  constructor(hotpath: Hotpath, link: Link, clock: Clock) {
    this.#hotpath = hotpath;
    this.#link = link;
    this.#neighbours = new Neighbours(link, clock);
    this.refresh(clock.monotonicUs());
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
    this.#routes = this.#readRoutes();
    for (const { gateway } of this.#routes) {
      if (gateway !== null && hasNeighbours(this.#link)) {
        this.#neighbours.read(gateway);
      }
    }
    this.#publish();
  }

  /** One table is for all. */
  prepare(_first: number, end: number): number {
    return end;
  }

  resolve(slot: number): string | null {
    const destination = this.#hotpath.bytes.slice(...destinationOf(slot));
    const route = this.#routes.find(({ prefix }) => prefixContains(prefix, destination));
    if (route === undefined) {
      return `no route to ${formatAddress(destination)} by ${this.#link.name}`;
    }
    const nextHop = route.gateway ?? destination;
    const reason = this.#neighbours.resolve(nextHop, route.gateway !== null);
    if (reason !== null) {
      return reason;
    }
    const mac = this.#neighbours.macOf(nextHop);
    if (route.gateway === null && mac !== null) {
      this.#neighbours.forget(nextHop);
      this.#hotpath.rememberNeighbour(destination, mac);
    } else {
      this.#publish();
    }
    return null;
  }

  [Symbol.dispose](): void {
    this.#routes = [];
  }

  /** Loopback delivers every packet, although the main table has no route for it. */
  #readRoutes(): InterfaceRoute[] {
    if (this.#link.loopback) {
      return allAddresses().map((prefix) => ({ prefix, gateway: null, metric: 0 }));
    }
    const routes = ([4, 6] as const).flatMap((family) => routesOf(this.#link.index, family));
    return routes
      .filter(({ prefix }) => prefix.family === 4 || prefix.base[0] !== 0xff)
      .slice(0, routesMax - 1);
  }

  #publish(): void {
    this.#hotpath.setRoutes(this.#routes.map((route) => this.#sendRoute(route)));
  }

  #sendRoute({ prefix, gateway }: InterfaceRoute): SendRoute {
    if (!hasNeighbours(this.#link)) {
      return { prefix, kind: "gateway", mac: this.#link.mac };
    }
    if (gateway === null) {
      return { prefix, kind: "onLink" };
    }
    return { prefix, kind: "gateway", mac: this.#neighbours.macOf(gateway) };
  }
}

/** Loopback and layer-3 interfaces need no MAC. */
export function hasNeighbours(link: Link): boolean {
  return link.layer === "ethernet" && !link.loopback;
}

/** Where in the memory the destination of a slot's probe is. */
export function destinationOf(slot: number): [number, number] {
  const at = probesAt + slot * probeBytes;
  return [at, at + addressBytes];
}

export function allAddresses(): Prefix[] {
  return ["0.0.0.0/0", "::/0"].flatMap((text) => parsePrefix(text) ?? []);
}
