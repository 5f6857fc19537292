/** A model's budget for one run of the server: probes times agents. Refused measurements are refunded. */

export class Budget {
  readonly total: number;
  #spent = 0;

  constructor(total: number) {
    this.total = total;
  }

  get left(): number {
    return this.total - this.#spent;
  }

  /** Null when less is left; else report the actual cost with `settle`. */
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
