/**
 * A small Internet of routed prefixes: a core that all share, diamonds of each routed prefix, a tail of each /24.
 *
 *     source – 1 – 2 – 1 – 4 – 1 – | – w – 1 – w' – 1 – | – one to three routers of the /24
 *              core                  routed prefix         tail
 *
 * One forwarding entry serves a routed prefix, so its /24s share its balancers, which choose by address and ports.
 */
import { hash32 } from "./hash32.ts";

interface ToyOptions {
  readonly routedPrefixes: number;
  /** Subnets of each routed prefix. */
  readonly subnets: number;
  readonly seed: number;
  /** Share of probes without an answer, by chance; 0 = none. */
  readonly loss?: number;
}

const coreWidths = [1, 2, 1, 4, 1];
const diamondWidthMax = 8;
const tailMax = 3;

export class ToyInternet {
  constructor(private readonly options: ToyOptions) {}

  /** The node that answers a probe to a /24 (numbered across all routed prefixes); null = none. */
  reply(subnet: number, flow: number, ttl: number, attempt = 0): number | null {
    const { seed, loss = 0 } = this.options;
    const isLost = hash32(seed ^ 0x1055, hash32(subnet, flow, ttl), attempt) < loss * 2 ** 32;
    return isLost ? null : this.#nodeAt(subnet, flow, ttl);
  }

  /** Links that probes can show, as `near>far`, for the /24s given. */
  links(subnets: Iterable<number>): Set<string> {
    const links = new Set<string>();
    for (const subnet of subnets) {
      const layers = this.#layersOf(subnet);
      for (const [i, layer] of layers.entries()) {
        for (const near of layer) {
          for (const far of layers[i + 1] ?? []) {
            links.add(`${near}>${far}`);
          }
        }
      }
    }
    return links;
  }

  #nodeAt(subnet: number, flow: number, ttl: number): number | null {
    const layer = this.#layersOf(subnet)[ttl - 1];
    if (layer === undefined) {
      return null;
    }
    return layer[hash32(this.options.seed ^ (ttl * 0x9e37), subnet, flow) % layer.length] ?? null;
  }

  /** Nodes by TTL; neighbours are linked all with all, and one side of each pair is a single node. */
  #layersOf(subnet: number): number[][] {
    const { subnets, seed } = this.options;
    const routed = Math.floor(subnet / subnets);
    const width = (i: number) => 1 + (hash32(seed, routed, 7 + i) % diamondWidthMax);
    const tail = 1 + (hash32(seed, subnet, 99) % tailMax);
    const widths = [...coreWidths, width(0), 1, width(1), 1, ...Array<number>(tail).fill(1)];
    return widths.map((count, i) =>
      Array.from({ length: count }, (_, k) => nodeNumber(placeOf(i, routed, subnet), i, k)),
    );
  }
}

/** The core is one for all, a diamond one for each routed prefix, a tail one for each /24. */
function placeOf(layer: number, routed: number, subnet: number): number {
  if (layer < coreWidths.length) {
    return 0;
  }
  return layer < coreWidths.length + 4 ? 1 + routed : 1_000_000 + subnet;
}

function nodeNumber(place: number, layer: number, k: number): number {
  return (place * 16 + layer) * diamondWidthMax + k + 1;
}
