/**
 * Probes that one router may answer, as groups: which router a new flow meets at a TTL is not known, only which ones
 * have answered the unit there. So routers that may answer the same probe are one group, and what a group is asked is
 * the most that any of its routers is asked.
 *
 * Near the agent all units share routers. So probes of one near TTL that nobody is known for are one group, together
 * with all routers that are known there: whoever answers them, no router of that TTL is asked more.
 */
export class RouterGroups {
  readonly #numbers = new Map<string, number>();
  /** For each router one that is in the same group; itself = it stands for the group. */
  readonly #parents: number[] = [];
  #routers = new Int32Array(1024);
  #length = 0;
  readonly #nearTtl: number;
  /** By near TTL: who has answered there, any unit. */
  readonly #heard = new Map<number, Set<string>>();
  /** Near TTLs of probes that nobody is known for. */
  readonly #unheard = new Set<number>();

  /** 0 = no TTL is near. */
  constructor(nearTtl: number) {
    this.#nearTtl = nearTtl;
  }

  /** Who has answered the next unit, by TTL, whether it is asked there now or not. */
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

  /** The next probe: who may answer it. */
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

  /** The group of each probe, from 0; -1 = nobody is known. */
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
      // Halves the way for the next who goes it.
      this.#parents[root] = this.#parents[up] ?? up;
      root = up;
    }
    return root;
  }
}

/** Stands for whoever answers at a TTL; no address is written like this. */
function nameOfTtl(ttl: number): string {
  return `ttl ${ttl}`;
}
