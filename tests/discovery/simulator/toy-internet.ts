/**
 * A small Internet of routed prefixes: a core that all share, diamonds of each routed prefix, a tail of each /24.
 *
 *     source – 1 – 2 – 1 – 4 – 1 – | – w – 1 – w' – 1 – | – one to three routers of the /24
 *              core                  routed prefix         tail
 *
 * One forwarding entry serves a routed prefix, so its /24s share its balancers, which choose by address and ports.
 */
import { hash32 } from "./hash32.ts";
import type { Topology } from "./topology.ts";

interface ToyOptions {
  readonly routedPrefixes: number;
  /** Subnets of each routed prefix. */
  readonly subnets: number;
  readonly seed: number;
  /** Share of probes without an answer, by chance; 0 = none. */
  readonly loss?: number;
}

const coreWidths = [1, 2, 1, 4, 1];
const routedLayers = 4;
const diamondWidthMax = 8;
const tailMax = 3;
const layersEach = 16;

export class ToyInternet implements Topology {
  readonly units: number;
  readonly subnetsEach: number;
  readonly length = coreWidths.length + routedLayers + tailMax;

  constructor(private readonly options: ToyOptions) {
    this.units = options.routedPrefixes;
    this.subnetsEach = options.subnets;
  }

  /** The node that answers a probe to a /24 (numbered across all routed prefixes); null = none. */
  reply(subnet: number, flow: number, ttl: number, attempt = 0): number | null {
    const { seed, loss = 0 } = this.options;
    const isLost = hash32(seed ^ 0x1055, hash32(subnet, flow, ttl), attempt) < loss * 2 ** 32;
    return (isLost ? 0 : this.nodeAt(subnet, flow, ttl)) || null;
  }

  nodeAt(subnet: number, flow: number, ttl: number): number {
    const layer = ttl - 1;
    const width = this.#widthOf(subnet, layer);
    const index = width < 2 ? 0 : hash32(this.options.seed ^ (ttl * 0x9e37), subnet, flow) % width;
    return width === 0 ? 0 : this.#node(subnet, layer, index);
  }

  visitLinks(unit: number, visit: (near: number, far: number) => void): void {
    for (let i = 0; i < this.subnetsEach; i++) {
      const subnet = unit * this.subnetsEach + i;
      for (let layer = 0; layer < this.length; layer++) {
        for (let near = 0; near < this.#widthOf(subnet, layer); near++) {
          for (let far = 0; far < this.#widthOf(subnet, layer + 1); far++) {
            visit(this.#node(subnet, layer, near), this.#node(subnet, layer + 1, far));
          }
        }
      }
    }
  }

  /** Links that probes can show, as `near>far`, for the /24s given. */
  links(subnets: Iterable<number>): Set<string> {
    const links = new Set<string>();
    for (const unit of new Set([...subnets].map((subnet) => Math.floor(subnet / this.subnetsEach)))) {
      this.visitLinks(unit, (near, far) => links.add(`${near}>${far}`));
    }
    return links;
  }

  /** Routers side by side at this place of the path, counted from 0; 0 = behind its end. One side of a link is one. */
  #widthOf(subnet: number, layer: number): number {
    const { seed } = this.options;
    const inRouted = layer - coreWidths.length;
    if (inRouted < 0) {
      return coreWidths[layer] ?? 0;
    }
    if (inRouted < routedLayers) {
      const unit = Math.floor(subnet / this.subnetsEach);
      return inRouted % 2 === 1 ? 1 : 1 + (hash32(seed, unit, 7 + inRouted / 2) % diamondWidthMax);
    }
    return inRouted - routedLayers < 1 + (hash32(seed, subnet, 99) % tailMax) ? 1 : 0;
  }

  #node(subnet: number, layer: number, index: number): number {
    return (this.#placeOf(subnet, layer) * layersEach + layer) * diamondWidthMax + index + 1;
  }

  /** The core is one for all, a diamond one for each routed prefix, a tail one for each /24. */
  #placeOf(subnet: number, layer: number): number {
    if (layer < coreWidths.length) {
      return 0;
    }
    const isRouted = layer < coreWidths.length + routedLayers;
    return isRouted ? 1 + Math.floor(subnet / this.subnetsEach) : 1 + this.units + subnet;
  }
}
