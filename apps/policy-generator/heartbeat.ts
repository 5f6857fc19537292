/**
 * A sign of life of one process that another one watches: a file whose content changes. How old it is, the watcher
 * counts by its own steady clock, so that a clock which is set makes nobody dead or alive.
 */
import type { KeptFile } from "./kept-file.ts";

export class Heartbeat {
  readonly #file: KeptFile;
  readonly #steadyMs: () => number;
  #last: string | null = null;
  #changedAtMs: number;

  constructor(file: KeptFile, steadyMs: () => number) {
    this.#file = file;
    this.#steadyMs = steadyMs;
    this.#changedAtMs = steadyMs();
  }

  /** Throws a system error. */
  async beat(): Promise<void> {
    await this.#file.write(crypto.randomUUID());
  }

  /** Milliseconds since the last change that was seen; since the first look where none was. */
  async ageMs(): Promise<number> {
    const text = await this.#file.read();
    if (this.#last !== null && text !== this.#last) {
      this.#changedAtMs = this.#steadyMs();
    }
    this.#last = text;
    return this.#steadyMs() - this.#changedAtMs;
  }
}
