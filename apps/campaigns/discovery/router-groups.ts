/**
 * Probes that one router may answer, as groups: which router a new flow meets at a TTL is not known, only which ones
 * have answered the unit there. So routers that may answer the same probe are one group, and what a group is asked is
 * the most that any of its routers is asked.
 */
export class RouterGroups {
  readonly #numbers = new Map<string, number>();
  /** For each router one that is in the same group; itself = it stands for the group. */
  readonly #parents: number[] = [];
  #routers = new Int32Array(1024);
  #length = 0;

  /** The next probe: who may answer it. */
  add(routers: ReadonlySet<string> | undefined): void {
    if (this.#length === this.#routers.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.#routers);
      this.#routers = grown;
    }
    let own = -1;
    for (const router of routers ?? []) {
      const number = this.#rootOf(this.#numberOf(router));
      if (own >= 0) {
        this.#parents[number] = own;
      } else {
        own = number;
      }
    }
    this.#routers[this.#length++] = own;
  }

  /** The group of each probe, from 0; -1 = nobody is known. */
  all(): Int32Array {
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
