/**
 * An Internet of any size, defined by a hash: core, transit networks, routed prefixes, tails, each a row of diamonds.
 *
 *     source – core – one of the transits – one routed prefix, or a group of its subnets – tail of a subnet
 *
 * Which branch a flow takes is a hash of the balancer, the subnet and the flow, so that one forwarding entry serves all
 * subnets of a routed prefix. Links are listed from the drawing, never from what a strategy finds.
 */
import { branchesOf, type Diamond, isPerDestination, isWeighted, layersOf } from "./diamond.ts";
import { hash32 } from "./hash32.ts";
import {
  InternetDrawing,
  type InternetPlan,
  levelsCount,
  loopLength,
  tailLevel,
} from "./internet-drawing.ts";
import { nodesMax, type Topology } from "./topology.ts";

const addressesEach = 256;

export class LevelledInternet implements Topology {
  readonly units: number;
  readonly subnetsEach: number;
  readonly length: number;
  readonly #drawing: InternetDrawing;
  readonly #seed: number;

  /** @throws RangeError when its routers have no numbers below `roomMax` */
  constructor(plan: InternetPlan, roomMax = nodesMax) {
    this.units = plan.units;
    this.subnetsEach = plan.subnetsEach;
    this.#seed = plan.seed;
    this.#drawing = new InternetDrawing(plan, roomMax);
    this.length = this.#drawing.length;
  }

  /** Whether a router is one of a routed prefix or a tail: then its links are of that prefix alone. */
  isOwn(node: number): boolean {
    return this.#drawing.isOwn(node);
  }

  nodeAt(subnet: number, flow: number, ttl: number, epoch: number): number {
    const unit = Math.floor(subnet / this.subnetsEach);
    let left = ttl;
    for (let level = 0; level < levelsCount; level++) {
      const place = this.#drawing.placeOf(level, unit, subnet, epoch);
      if (level === tailLevel && this.#drawing.isLooping(subnet)) {
        return this.#drawing.node(level, place, 0, 0, (left - 1) % loopLength);
      }
      const count = this.#drawing.countOf(level, place);
      for (let i = 0; i < count; i++) {
        const diamond = this.#drawing.diamondOf(level, place, i);
        const layers = layersOf(diamond);
        if (left <= layers) {
          return this.#nodeIn(level, place, i, diamond, subnet, flow, left);
        }
        left -= layers;
      }
    }
    return 0;
  }

  visitLinks(unit: number, visit: (near: number, far: number) => void): void {
    const epochs = this.#drawing.isChanging(unit) ? [0, 1] : [0];
    for (const epoch of epochs) {
      for (let i = 0; i < this.subnetsEach; i++) {
        this.#visitSubnet(unit, unit * this.subnetsEach + i, epoch, visit);
      }
    }
  }

  /** The last router of a diamond is the only one of its layer, so each diamond is entered from one router. */
  #visitSubnet(
    unit: number,
    subnet: number,
    epoch: number,
    visit: (near: number, far: number) => void,
  ): void {
    let last = 0;
    for (let level = 0; level < levelsCount; level++) {
      const place = this.#drawing.placeOf(level, unit, subnet, epoch);
      if (level === tailLevel && this.#drawing.isLooping(subnet)) {
        const [first, second] = [
          this.#drawing.node(level, place, 0, 0, 0),
          this.#drawing.node(level, place, 0, 0, 1),
        ];
        visit(last, first);
        visit(first, second);
        visit(second, first);
        return;
      }
      for (let i = 0; i < this.#drawing.countOf(level, place); i++) {
        last = this.#visitDiamond([level, place, i], subnet, last, visit);
      }
    }
  }

  #visitDiamond(
    [level, place, i]: readonly [number, number, number],
    subnet: number,
    entry: number,
    visit: (near: number, far: number) => void,
  ): number {
    const diamond = this.#drawing.diamondOf(level, place, i);
    let reached = [-1];
    for (let layer = 0; layer < layersOf(diamond); layer++) {
      const next = new Set<number>();
      for (const near of reached) {
        const from = near < 0 ? entry : this.#drawing.node(level, place, i, layer - 1, near);
        for (const far of this.#ways(level, i, diamond, layer, Math.max(0, near), subnet)) {
          next.add(far);
          if (from !== 0) {
            visit(from, this.#drawing.node(level, place, i, layer, far));
          }
        }
      }
      reached = [...next];
    }
    return this.#drawing.node(level, place, i, layersOf(diamond) - 1, 0);
  }

  #ways(level: number, i: number, diamond: Diamond, layer: number, near: number, subnet: number): number[] {
    const branches = branchesOf(diamond, layer, near);
    const count = branches & 255;
    const skipped = this.#drawing.firstWay(level, i, layer, count, subnet);
    const used = skipped < 0 ? count : (count + 1) >> 1;
    return Array.from({ length: used }, (_, k) => (branches >> 8) + ((Math.max(0, skipped) + k) % count));
  }

  #nodeIn(
    level: number,
    place: number,
    i: number,
    diamond: Diamond,
    subnet: number,
    flow: number,
    layers: number,
  ): number {
    const key = isPerDestination(diamond) && flow >= addressesEach ? addressesEach - 1 : flow;
    let at = 0;
    for (let layer = 0; layer < layers; layer++) {
      const branches = branchesOf(diamond, layer, at);
      const count = branches & 255;
      let way = 0;
      if (count > 1) {
        const hash = hash32(this.#seed ^ this.#drawing.node(level, place, i, layer, at), subnet, key);
        const skipped = this.#drawing.firstWay(level, i, layer, count, subnet);
        way =
          skipped < 0
            ? wayOf(hash, count, diamond)
            : (skipped + wayOf(hash, (count + 1) >> 1, diamond)) % count;
      }
      at = (branches >> 8) + way;
    }
    return this.#drawing.node(level, place, i, layers - 1, at);
  }
}

function wayOf(hash: number, count: number, diamond: Diamond): number {
  return isWeighted(diamond) ? ((hash & 1) === 0 ? 0 : (hash >>> 1) % count) : hash % count;
}
