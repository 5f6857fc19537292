/**
 * Has garbage collected while a service grows. By itself, JavaScriptCore lets garbage become as large as the memory in
 * use, with which it counts the 400 MB of an embedded database: a service that reads large bodies then takes three
 * times what it needs. The collection runs beside the service's work, which it holds for a few milliseconds.
 */

/** Interval of the checks: large bodies make some 100 MB of garbage in that time; a check takes 10 us. */
const lookMs = 50;

/** Growth after which garbage is collected: bytes, and a share of the memory in use, as large heaps take longer. */
const growthBytes = 96 * 2 ** 20;
const growthShare = 0.25;

interface Memory {
  /** Bytes of the process. */
  readonly usedBytes: () => number;
  readonly collect: () => void;
}

const own: Memory = { usedBytes: () => process.memoryUsage.rss(), collect: () => Bun.gc(false) };

export class MemoryWatch implements Disposable {
  readonly #memory: Memory;
  readonly #timer: NodeJS.Timeout;
  /** The least since garbage was last collected. */
  #leastBytes = Number.POSITIVE_INFINITY;

  constructor(memory = own) {
    this.#memory = memory;
    this.#timer = setInterval(() => this.look(), lookMs);
    this.#timer.unref();
  }

  look(): void {
    const bytes = this.#memory.usedBytes();
    this.#leastBytes = Math.min(this.#leastBytes, bytes);
    if (bytes - this.#leastBytes > Math.max(growthBytes, growthShare * this.#leastBytes)) {
      this.#leastBytes = bytes;
      this.#memory.collect();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
