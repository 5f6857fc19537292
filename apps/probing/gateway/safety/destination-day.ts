/** Probes of all users to each destination network today (UTC), accepted by this gateway since it started. */
import { DestinationCounts, networkOf } from "../../../../lib/measuring/probing/destination-counts.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import { networksListedMax } from "../limits.ts";

const dayMs = 86_400_000;

export class DestinationDay {
  readonly #probesMax: number;
  readonly #nowMs: () => number;
  #day = 0;
  #counts = new DestinationCounts();

  /** `nowMs` gives milliseconds since the epoch. */
  constructor(probesMax: number, nowMs: () => number) {
    this.#probesMax = probesMax;
    this.#nowMs = nowMs;
  }

  /** Starts the count of one submission. */
  begin(): DestinationShare {
    return new DestinationShare(() => this.#today(), this.#probesMax);
  }

  #today(): DestinationCounts {
    const day = Math.floor(this.#nowMs() / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#counts = new DestinationCounts();
    }
    return this.#counts;
  }
}

/** One submission's counts for the day: a list while it has few networks, as most have, then a sketch. */
class DestinationShare {
  readonly #today: () => DestinationCounts;
  readonly #probesMax: number;
  readonly #list = new Map<number, number>();
  #sketch: DestinationCounts | null = null;
  /** Reverts `finish`. */
  #undo = () => {};

  constructor(today: () => DestinationCounts, probesMax: number) {
    this.#today = today;
    this.#probesMax = probesMax;
  }

  add(destination: Address): void {
    const network = networkOf(destination);
    if (this.#sketch !== null) {
      this.#sketch.add(network);
      return;
    }
    this.#list.set(network, (this.#list.get(network) ?? 0) + 1);
    if (this.#list.size > networksListedMax) {
      this.#sketch = new DestinationCounts();
      this.#addList(this.#sketch, 1);
    }
  }

  /** Adds all to the day, each probe `targets` times; nothing, and false, when a network would get too many. */
  finish(targets: number): boolean {
    const today = this.#today();
    const sketch = this.#sketch;
    if (this.#peak(today, targets) > this.#probesMax) {
      return false;
    }
    const addTimes = (times: number) =>
      sketch === null ? this.#addList(today, times) : today.addAll(sketch, times);
    addTimes(targets);
    this.#undo = () => addTimes(-targets);
    return true;
  }

  undo(): void {
    this.#undo();
    this.#undo = () => {};
  }

  #peak(today: DestinationCounts, targets: number): number {
    if (this.#sketch !== null) {
      return today.peakWith(this.#sketch, targets);
    }
    let peak = 0;
    for (const [network, probes] of this.#list) {
      peak = Math.max(peak, today.count(network) + probes * targets);
    }
    return peak;
  }

  #addList(counts: DestinationCounts, times: number): void {
    for (const [network, probes] of this.#list) {
      counts.add(network, probes * times);
    }
  }
}
