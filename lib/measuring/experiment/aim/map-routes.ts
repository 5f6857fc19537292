/**
 * Which entry each network of a map uses: customers' routes before peers' before providers', then the shortest path,
 * then a preference of its own, drawn for each version of the map. Pure.
 */
import type { AsMap } from "./as-map.ts";
import { type Setting, withdrawn } from "./setting.ts";

/** Longer paths do not occur. */
const lengthMax = 40;
const none = -1;

/** By node, the entry of its route; -1 = none. `version`: draws what decides between equal routes. */
export function routesOn(map: AsMap, setting: Setting, version: number): Int16Array {
  return new MapRoutes(map, version).settle(setting);
}

class MapRoutes {
  readonly #map: AsMap;
  readonly #version: number;
  readonly #entry: Int16Array;
  readonly #length: Uint8Array;
  readonly #tie: Float64Array;
  /** Nodes by the length of their route. */
  #atLength: number[][] = [];

  constructor(map: AsMap, version: number) {
    const count = map.asns.length;
    this.#map = map;
    this.#version = version;
    this.#entry = new Int16Array(count).fill(none);
    this.#length = new Uint8Array(count);
    this.#tie = new Float64Array(count);
  }

  settle(setting: Setting): Int16Array {
    const { customers, peers, providers } = this.#map;
    this.#arrive(setting, "customer");
    this.#spread(providers);
    const fromCustomers = this.#routed();
    this.#atLength = [];
    this.#arrive(setting, "peer");
    for (const node of fromCustomers) {
      this.#offer(node, peers[node] ?? []);
    }
    this.#takeAll();
    this.#atLength = [];
    for (const node of this.#routed()) {
      this.#queue(node);
    }
    this.#spread(customers);
    return this.#entry;
  }

  #routed(): number[] {
    return [...this.#entry.keys()].filter((node) => this.#entry[node] !== none);
  }

  #arrive(setting: Setting, as: "customer" | "peer"): void {
    for (const [entry, arrivals] of this.#map.arrivals.entries()) {
      const prepends = setting[entry] ?? withdrawn;
      for (const arrival of prepends === withdrawn ? [] : arrivals) {
        if (arrival.as === as) {
          this.#consider(arrival.node, { entry, length: 1 + prepends, from: -1 - entry });
        }
      }
    }
  }

  readonly #taken = new Set<number>();
  readonly #fixed = new Set<number>();

  #consider(node: number, route: { entry: number; length: number; from: number }): void {
    if (this.#fixed.has(node)) {
      return;
    }
    const tie = this.#tieOf(node, route.from);
    const [length = 0, own = 0] = [this.#length[node], this.#tie[node]];
    const isBetter =
      this.#entry[node] === none || route.length < length || (route.length === length && tie < own);
    if (isBetter) {
      this.#entry[node] = route.entry;
      this.#length[node] = route.length;
      this.#tie[node] = tie;
      this.#taken.add(node);
      this.#queue(node);
    }
  }

  #queue(node: number): void {
    const length = this.#length[node] ?? 0;
    const own = this.#atLength[length] ?? [];
    this.#atLength[length] = own;
    own.push(node);
  }

  #offer(node: number, to: readonly number[]): void {
    const [entry = none, length = 0] = [this.#entry[node], this.#length[node]];
    for (const neighbor of to) {
      this.#consider(neighbor, { entry, length: length + 1, from: node });
    }
  }

  /** In the order of lengths: no shorter route comes later. */
  #spread(to: readonly (readonly number[])[]): void {
    for (let length = 0; length < lengthMax; length++) {
      const own = this.#atLength[length] ?? [];
      for (const node of own) {
        if (this.#length[node] === length) {
          this.#fixed.add(node);
          this.#taken.delete(node);
        }
      }
      for (const node of new Set(own)) {
        if (this.#length[node] === length) {
          this.#offer(node, to[node] ?? []);
        }
      }
    }
    this.#takeAll();
  }

  #takeAll(): void {
    for (const node of this.#taken) {
      this.#fixed.add(node);
    }
    this.#taken.clear();
  }

  #tieOf(node: number, from: number): number {
    const mixed = Math.imul(Math.imul(node + 1, 73_856_093) ^ Math.imul(from + 7, 19_349_663), 2_654_435_761);
    return Math.imul(mixed ^ (mixed >>> 15) ^ Math.imul(this.#version, 83_492_791), 2_246_822_519) >>> 0;
  }
}
