/**
 * The probes of one round of `shared`: none twice, and as few as give each node its missing flows.
 *
 * A flow crosses a node by chance, so a node that lacks l flows, and that a share w of the flows crosses, gets l / w of
 * them. They cross other nodes as well: their expected numbers count there, so a hop's flows are sent once.
 */
import type { FlowPath, FlowPaths } from "./flow-paths.ts";
import type { Crossing } from "./shared-nodes.ts";
import type { RoundProbe, StrategyOptions } from "./strategy.ts";

/** A node that fewer than one in this many flows cross is given up: routing has changed, or it is hardly used. */
const flowsForOne = 256;
/** Flows for one node in one round: shares are estimates, which the next round improves. */
const flowsEachRound = 256;

interface Demand {
  readonly node: Crossing;
  readonly paths: readonly FlowPath[];
  readonly lacking: number;
}

/** Flows across the node before, of which some go to a node. */
interface Supply {
  /** Not probed at the node's TTL yet. */
  readonly open: FlowPath[];
  /** Answered there. */
  readonly answered: number;
  taken: number;
}

export class SharedRound {
  readonly probes: RoundProbe[] = [];
  readonly #keys = new Set<number>();
  readonly #demands: Demand[] = [];
  readonly #nextFlows = new Map<number, number>();
  readonly #supplies = new Map<number, Supply>();
  /** By TTL and subnet, flows that were answered there, and new ones of this round. */
  readonly #answered = new Map<number, number>();
  readonly #fresh = new Map<number, number>();
  readonly #places: ReadonlyMap<number, number>;

  constructor(
    paths: FlowPaths,
    subnets: readonly number[],
    private readonly options: StrategyOptions,
  ) {
    this.#places = new Map(subnets.map((subnet, place) => [subnet, (place + options.seed) % subnets.length]));
    for (const subnet of subnets) {
      for (const path of paths.of(subnet)) {
        this.#nextFlows.set(subnet, path.flow + 1);
        for (let ttl = 1; ttl <= path.lastNode; ttl++) {
          if (path.node(ttl) >= 0) {
            add(this.#answered, ttlKey(subnet, ttl), 1);
          }
        }
      }
    }
  }

  /** Sends a probe unless it was sent before, or is outside the TTL range. */
  probe(subnet: number, flow: number, ttl: number, path?: FlowPath): void {
    if (ttl <= this.options.ttlMax && path?.isProbed(ttl) !== true && ttl >= this.options.ttlMin) {
      this.#push(subnet, flow, ttl);
    }
  }

  /**
   * Repeats an unanswered probe, now or in a later round: until then the flow counts as a new one of its hop. Otherwise
   * ever more flows would probe rate-limiting routers.
   */
  retry({ subnet, flow }: FlowPath, ttl: number, isNow: boolean): void {
    add(this.#fresh, ttlKey(subnet, ttl), 1);
    if (isNow) {
      this.#push(subnet, flow, ttl);
    }
  }

  /** A node that lacks flows of these subnets. */
  addDemand(node: Crossing, paths: readonly FlowPath[], lacking: number): void {
    if (lacking > 0) {
      this.#demands.push({ node, paths, lacking });
    }
  }

  /** Sends the flows for all nodes, those known to cross them first. */
  spend(nodes: ReadonlyMap<number, Crossing>): void {
    const open = this.#demands.map((demand) => {
      const known = demand.paths
        .filter((path) => !path.isProbed(demand.node.ttl + 1))
        .slice(0, demand.lacking);
      for (const path of known) {
        this.probe(path.subnet, path.flow, demand.node.ttl + 1, path);
      }
      return { ...demand, lacking: demand.lacking - known.length };
    });
    // The node that lacks most is first: its flows serve the others of its hop. A silent hop gets only flows that cross
    // it: if it is an artefact of lost replies, ever more flows would be sent to find a few.
    const routers = open.filter(({ node }) => !node.isSilent);
    for (const demand of routers.sort((x, y) => y.lacking - x.lacking)) {
      this.#takeFresh(demand, this.#takeSupplied(demand, nodes));
    }
  }

  /** Sends flows across the nodes before; returns how many are then missing. */
  #takeSupplied({ node, paths, lacking }: Demand, nodes: ReadonlyMap<number, Crossing>): number {
    const subnets = new Set(paths.map((path) => path.subnet));
    let left = lacking;
    for (const [key, count] of node.before) {
      const supply = this.#supplyOf(key, node.ttl, nodes);
      const share = count / Math.max(1, supply.answered);
      left -= supply.taken * share;
      while (left > 0) {
        const path = supply.open.pop();
        if (path === undefined) {
          break;
        }
        if (subnets.has(path.subnet)) {
          this.probe(path.subnet, path.flow, node.ttl, path);
          this.probe(path.subnet, path.flow, node.ttl + 1, path);
          supply.taken++;
          left -= share;
        }
      }
    }
    return left;
  }

  #supplyOf(key: number, ttl: number, nodes: ReadonlyMap<number, Crossing>): Supply {
    const known = this.#supplies.get(key);
    if (known !== undefined) {
      return known;
    }
    const paths = nodes.get(key)?.paths ?? [];
    const answered = paths.reduce((sum, path) => sum + (path.node(ttl) >= 0 ? 1 : 0), 0);
    const supply = { open: paths.filter((path) => !path.isProbed(ttl)).reverse(), answered, taken: 0 };
    this.#supplies.set(key, supply);
    return supply;
  }

  #takeFresh({ node: { ttl }, paths }: Demand, lacking: number): void {
    const subnets = [...new Set(paths.map((path) => path.subnet))];
    const sum = (counts: ReadonlyMap<number, number>) =>
      subnets.reduce((all, subnet) => all + (counts.get(ttlKey(subnet, ttl)) ?? 0), 0);
    const share = paths.length / Math.max(paths.length, sum(this.#answered));
    const wanted = Math.ceil(lacking / share - sum(this.#fresh));
    if (lacking <= 0 || share < 1 / flowsForOne) {
      return;
    }
    const turns = subnets
      .filter((subnet) => this.#nextFlow(subnet) < this.options.flowsMax)
      .sort((x, y) => this.#nextFlow(x) - this.#nextFlow(y) || this.#placeOf(x) - this.#placeOf(y));
    for (let i = 0; i < Math.min(wanted, flowsEachRound); i++) {
      const subnet = turns[i % turns.length];
      const flow = subnet === undefined ? this.options.flowsMax : this.#nextFlow(subnet);
      if (subnet !== undefined && flow < this.options.flowsMax) {
        this.#nextFlows.set(subnet, flow + 1);
        add(this.#fresh, ttlKey(subnet, ttl), 1);
        this.probe(subnet, flow, ttl);
        this.probe(subnet, flow, ttl + 1);
      }
    }
  }

  #nextFlow(subnet: number): number {
    return this.#nextFlows.get(subnet) ?? 0;
  }

  #placeOf(subnet: number): number {
    return this.#places.get(subnet) ?? 0;
  }

  #push(subnet: number, flow: number, ttl: number): void {
    const key = (this.#placeOf(subnet) * 8192 + flow) * 128 + ttl;
    if (!this.#keys.has(key)) {
      this.#keys.add(key);
      this.probes.push({ subnet, flow, ttl });
    }
  }
}

function ttlKey(subnet: number, ttl: number): number {
  return subnet * 128 + ttl;
}

function add(counts: Map<number, number>, key: number, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
