/** What a model may spend on one run of the server: probes times agents. What was refused is given back. */

export class Budget {
  readonly total: number;
  #spent = 0;

  constructor(total: number) {
    this.total = total;
  }

  get left(): number {
    return this.total - this.#spent;
  }

  /** Null when there is less left than that; else what it will have cost is said with `settle`. */
  take(probes: number): Taken | null {
    if (probes > this.left) {
      return null;
    }
    this.#spent += probes;
    return {
      settle: (actual) => {
        this.#spent += actual - probes;
      },
    };
  }
}

interface Taken {
  /** Call it once. */
  readonly settle: (actual: number) => void;
}
