/**
 * A topology under conditions: lost answers, routers that never answer or not more than so often, routers that answer
 * twice, and routes that change while probes are under way.
 *
 * Time is simulated: each probe takes 1 / rate of a second, a round's end some seconds more. Packets are counted by
 * router. What is lost is a hash of seed, probe and round, so it does not depend on the order of a round's probes.
 */
import { hash32 } from "./hash32.ts";
import { RouterTable } from "./router-table.ts";
import type { Topology } from "./topology.ts";

export interface Conditions {
  readonly seed: number;
  /** Share of answers that are lost. */
  readonly loss?: number;
  /** Share of routers that never answer. */
  readonly silent?: number;
  /** Share of routers that answer so often a second at most, and how many at once. */
  readonly limited?: { readonly share: number; readonly perSec: number; readonly burst: number };
  /** Share of routers that send each answer twice. */
  readonly amplifying?: number;
  /** Seconds after which routes change. */
  readonly changeAtSec?: number;
  readonly probesPerSec: number;
  /** Between the last probe of a round and the first of the next. */
  readonly roundGapSec: number;
}

const share32 = 2 ** 32;
const purposes = { loss: 0x71, silent: 0x72, limited: 0x73, amplifying: 0x74 } as const;

export class SimulatedNet {
  readonly topology: Topology;
  readonly #conditions: Conditions;
  readonly #routers = new RouterTable();
  readonly #lossBelow: number;
  readonly #probeSec: number;
  /** Probes that were sent, with those that nothing answered. */
  probes = 0;
  rounds = 0;
  nowSec = 0;

  constructor(topology: Topology, conditions: Conditions) {
    this.topology = topology;
    this.#conditions = conditions;
    this.#lossBelow = (conditions.loss ?? 0) * share32;
    this.#probeSec = 1 / conditions.probesPerSec;
  }

  /** The router that answers; 0 = nothing came back. */
  probe(subnet: number, flow: number, ttl: number): number {
    const { seed, limited, changeAtSec = Number.POSITIVE_INFINITY } = this.#conditions;
    this.probes++;
    this.nowSec += this.#probeSec;
    const node = this.topology.nodeAt(subnet, flow, ttl, this.nowSec < changeAtSec ? 0 : 1);
    if (node === 0) {
      return 0;
    }
    const row = this.#routers.count(node);
    if (!this.answers(node)) {
      return 0;
    }
    if (limited !== undefined && isDrawn(limited.share, seed ^ purposes.limited, node)) {
      if (!this.#routers.take(row, this.nowSec, limited.perSec, limited.burst)) {
        return 0;
      }
    }
    const isLost =
      this.#lossBelow > 0 &&
      hash32(seed ^ purposes.loss, hash32(subnet, flow, ttl), this.rounds) < this.#lossBelow;
    return isLost ? 0 : node;
  }

  /** How often a router sends its answer. */
  copiesOf(node: number): number {
    const { seed, amplifying } = this.#conditions;
    return amplifying !== undefined && isDrawn(amplifying, seed ^ purposes.amplifying, node) ? 2 : 1;
  }

  /** Whether a router answers ever: a link of one that does not cannot be found. */
  answers(node: number): boolean {
    const { seed, silent } = this.#conditions;
    return silent === undefined || !isDrawn(silent, seed ^ purposes.silent, node);
  }

  endRound(): void {
    this.rounds++;
    this.nowSec += this.#conditions.roundGapSec;
  }

  /** Probes that expired at the router where most did. */
  get busiest(): number {
    return this.#routers.busiest;
  }
}

function isDrawn(share: number, seed: number, node: number): boolean {
  return hash32(seed, node, 0) < share * share32;
}
