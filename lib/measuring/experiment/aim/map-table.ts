/** A map's routes under many settings, each computed once, in versions that differ in what decides ties. Pure. */
import type { AsMap } from "./as-map.ts";
import { routesOn } from "./map-routes.ts";
import type { Setting } from "./setting.ts";

/** Versions of the map: more take time, and decide few more ties. */
const versionsMax = 20;
/** Nodes of all versions: a plan compares hundreds of settings. */
const nodesMax = 40_000;

export class MapTable {
  readonly versions: number;
  readonly nodes: number;
  readonly #map: AsMap;
  readonly #routes = new Map<string, readonly Int16Array[]>();

  constructor(map: AsMap) {
    this.#map = map;
    this.nodes = map.asns.length;
    this.versions = Math.max(1, Math.min(versionsMax, Math.floor(nodesMax / this.nodes)));
  }

  nodeOf(asn: number): number | null {
    return this.#map.nodeOf.get(asn) ?? null;
  }

  /** By version, by node: the entry of its route. */
  routes(setting: Setting): readonly Int16Array[] {
    const key = setting.join();
    const known = this.#routes.get(key);
    if (known !== undefined) {
      return known;
    }
    const routes = Array.from({ length: this.versions }, (_, version) =>
      routesOn(this.#map, setting, version),
    );
    this.#routes.set(key, routes);
    return routes;
  }
}
