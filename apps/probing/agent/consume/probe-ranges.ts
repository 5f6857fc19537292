/** The sent probes of a measurement, as ranges of their indices: mostly one, because records come in order. */

export interface ProbeRange {
  readonly from: number;
  /** The index after the last. */
  readonly to: number;
}

/** More would mean unordered records; then the lowest range is forgotten, and its probes may be repeated. */
const rangesMax = 64;

export class ProbeRanges {
  /** Ascending; no two touch. */
  #ranges: readonly ProbeRange[];

  constructor(ranges: Iterable<ProbeRange> = []) {
    this.#ranges = [...ranges];
  }

  /** The first index from `from` on outside the ranges. */
  coveredTo(from: number): number {
    return this.#ranges.find((range) => range.from <= from && from < range.to)?.to ?? from;
  }

  add(range: ProbeRange): void {
    if (range.to <= range.from) {
      return;
    }
    const apart = this.#ranges.filter(({ from, to }) => to < range.from || range.to < from);
    const touching = this.#ranges.filter((other) => !apart.includes(other));
    const from = Math.min(range.from, ...touching.map((other) => other.from));
    const to = Math.max(range.to, ...touching.map((other) => other.to));
    this.#ranges = [...apart, { from, to }].sort((a, b) => a.from - b.from).slice(-rangesMax);
  }

  /** The index after the highest; 0 without ranges. */
  get end(): number {
    return this.#ranges.at(-1)?.to ?? 0;
  }

  /** Total number of indices. */
  get size(): number {
    return this.#ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  [Symbol.iterator](): Iterator<ProbeRange> {
    return this.#ranges[Symbol.iterator]();
  }
}
