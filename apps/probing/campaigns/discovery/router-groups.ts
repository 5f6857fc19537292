/**
 * Groups probes by the routers that may reply: the router that a new flow meets at a TTL is unknown; known are only
 * those that have replied for the unit there. So routers that may reply to the same probe form one group, and a group's
 * number of probes is an upper bound for each of its routers.
 *
 * Near the agent all units share routers. So probes at a near TTL without a known router are one group, together with
 * all known routers there: the bound holds for whichever router replies.
 */
export class RouterGroups {
  readonly #numbers = new Map<string, number>();
  /** Union-find: for each router another one in its group; itself = the group's representative. */
  readonly #parents: number[] = [];
  #routers = new Int32Array(1024);
  #length = 0;
  readonly #nearTtl: number;
  /** By near TTL: routers that replied there, for any unit. */
  readonly #heard = new Map<number, Set<string>>();
  /** Near TTLs of probes without a known router. */
  readonly #unheard = new Set<number>();

  /** 0 = no TTL is near. */
  constructor(nearTtl: number) {
    this.#nearTtl = nearTtl;
  }

  /** Adds the next unit: the routers that have replied for it, by TTL, whether it is probed there now or not. */
  hear(unit: ReadonlyMap<number, ReadonlySet<string>>): void {
    for (const [ttl, routers] of unit) {
      if (ttl > this.#nearTtl) {
        continue;
      }
      const known = this.#heard.get(ttl) ?? new Set();
      this.#heard.set(ttl, known);
      for (const router of routers) {
        known.add(router);
      }
    }
  }

  /** Adds the next probe: the routers that may reply. */
  add(ttl: number, routers: ReadonlySet<string> | undefined): void {
    const isUnheard = routers === undefined && ttl <= this.#nearTtl;
    if (isUnheard) {
      this.#unheard.add(ttl);
    }
    this.#put(this.#joined(isUnheard ? [nameOfTtl(ttl)] : routers));
  }

  #put(group: number): void {
    if (this.#length === this.#routers.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.#routers);
      this.#routers = grown;
    }
    this.#routers[this.#length++] = group;
  }

  /** The group of all of these; -1 = they are none. */
  #joined(routers: Iterable<string> | undefined): number {
    let own = -1;
    for (const router of routers ?? []) {
      const number = this.#rootOf(this.#numberOf(router));
      if (own >= 0) {
        this.#parents[number] = own;
      } else {
        own = number;
      }
    }
    return own;
  }

  /** The group of each probe, from 0; -1 = no known router. */
  all(): Int32Array {
    for (const ttl of this.#unheard) {
      this.#joined([nameOfTtl(ttl), ...(this.#heard.get(ttl) ?? [])]);
    }
    return this.#routers.subarray(0, this.#length).map((router) => (router < 0 ? -1 : this.#rootOf(router)));
  }

  #numberOf(router: string): number {
    const known = this.#numbers.get(router) ?? this.#parents.length;
    if (known === this.#parents.length) {
      this.#numbers.set(router, known);
      this.#parents.push(known);
    }
    return known;
  }

  #rootOf(number: number): number {
    let root = number;
    for (let up = this.#parents[root] ?? root; up !== root; up = this.#parents[root] ?? root) {
      // Path halving.
      this.#parents[root] = this.#parents[up] ?? up;
      root = up;
    }
    return root;
  }
}

/** Placeholder for the unknown router at a TTL; no address has this form. */
function nameOfTtl(ttl: number): string {
  return `ttl ${ttl}`;
}
