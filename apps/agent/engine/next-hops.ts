/**
 * Next hops of a sender: the routes of its interface and the MAC of each next hop, kept fresh while it sends.
 *
 * The kernel resolves neighbours; this triggers it, reads its table, and gives it a limited time. A next hop
 * that does not answer fails its probes at once until the kernel knows better, so it does not delay others for long.
 */
import type { Clock } from "../../../ffi/clock.ts";
import type { Hotpath, SendRoute } from "../../../ffi/hotpath/hotpath.ts";
import { routesMax } from "../../../ffi/hotpath/memory-layout.ts";
import type { Link } from "../../../ffi/netlink/link.ts";
import { askNeighbour, readNeighbour } from "../../../ffi/netlink/neighbour.ts";
import { type InterfaceRoute, routesOf } from "../../../ffi/netlink/route.ts";
import { type Address, formatAddress } from "../../../lib/ip/address.ts";
import { type Prefix, parsePrefix, prefixContains } from "../../../lib/ip/prefix.ts";

/** Routes and gateways are read again this often; neighbours on the link, half a minute apart. */
const refreshUs = 1e6;
const forgetUs = 30e6;
/** The kernel asks three times in three seconds before it gives a neighbour up. */
const gatewayWaitUs = 3.2e6;
const neighbourWaitUs = 0.5e6;
/** How long a silent next hop fails its probes without being looked at again. */
const silentUs = 1e6;
const silentMax = 4096;
const pollUs = 1000;

export class NextHops {
  readonly #hotpath: Hotpath;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #silentUntilUs = new Map<string, number>();
  #routes: InterfaceRoute[] = [];
  #macs = new Map<string, Uint8Array>();
  #refreshAtUs = 0;
  #forgetAtUs = 0;

  constructor(hotpath: Hotpath, link: Link, clock: Clock) {
    this.#hotpath = hotpath;
    this.#link = link;
    this.#clock = clock;
    this.refresh(clock.monotonicUs());
  }

  /** Reads routes and gateways again when it is time to. */
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
      if (gateway !== null && this.#hasNeighbours()) {
        this.#learn(gateway);
      }
    }
    this.#publish();
  }

  /**
   * Resolves the next hop of a destination that `fill` stopped at.
   *
   * Returns null when its frame can be filled now, else the reason.
   */
  resolve(destination: Address): string | null {
    const route = this.#routes.find(({ prefix }) => prefixContains(prefix, destination));
    if (route === undefined) {
      return `no route to ${formatAddress(destination)} by ${this.#link.name}`;
    }
    const nextHop = route.gateway ?? destination;
    const name = formatAddress(nextHop);
    const silent = `next hop ${name} on ${this.#link.name} does not answer; is it up, and on this link?`;
    if ((this.#silentUntilUs.get(name) ?? 0) > this.#clock.monotonicUs()) {
      return silent;
    }
    if (!this.#wait(nextHop, route.gateway === null ? neighbourWaitUs : gatewayWaitUs)) {
      this.#rememberSilent(name);
      return silent;
    }
    this.#silentUntilUs.delete(name);
    const mac = this.#macs.get(name);
    if (route.gateway === null && mac !== undefined) {
      this.#macs.delete(name);
      this.#hotpath.rememberNeighbour(destination, mac);
    } else {
      this.#publish();
    }
    return null;
  }

  /** Triggers resolution before each look: a neighbour may have been forgotten, or have failed long ago. */
  #wait(nextHop: Address, limitUs: number): boolean {
    if (this.#learn(nextHop)) {
      return true;
    }
    askNeighbour(this.#link.index, nextHop);
    const untilUs = this.#clock.monotonicUs() + limitUs;
    while (this.#clock.monotonicUs() < untilUs) {
      this.#clock.sleepUs(pollUs);
      if (this.#learn(nextHop)) {
        return true;
      }
    }
    return false;
  }

  #learn(nextHop: Address): boolean {
    const neighbour = readNeighbour(this.#link.index, nextHop);
    if (neighbour.status === "known") {
      this.#macs.set(formatAddress(nextHop), neighbour.mac);
    }
    return neighbour.status === "known";
  }

  #rememberSilent(name: string): void {
    if (this.#silentUntilUs.size >= silentMax) {
      this.#silentUntilUs.clear();
    }
    this.#silentUntilUs.set(name, this.#clock.monotonicUs() + silentUs);
  }

  #hasNeighbours(): boolean {
    return this.#link.layer === "ethernet" && !this.#link.loopback;
  }

  /** Loopback delivers every packet, although no route of the main table says so. */
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
    if (!this.#hasNeighbours()) {
      return { prefix, kind: "gateway", mac: this.#link.mac };
    }
    if (gateway === null) {
      return { prefix, kind: "onLink" };
    }
    return { prefix, kind: "gateway", mac: this.#macs.get(formatAddress(gateway)) ?? null };
  }
}

function allAddresses(): Prefix[] {
  return ["0.0.0.0/0", "::/0"].flatMap((text) => parsePrefix(text) ?? []);
}
