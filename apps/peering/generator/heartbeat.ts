/**
 * A sign of life of one process that another one watches: a file whose content changes. How old it is, the watcher
 * counts by its own steady clock, so that a clock that is set makes no process dead or alive.
 */
import type { PersistentFile } from "./persistent-file.ts";

export class Heartbeat {
  readonly #file: PersistentFile;
  readonly #steadyMs: () => number;
  #last: string | null = null;
  #changedAtMs: number;

  constructor(file: PersistentFile, steadyMs: () => number) {
    this.#file = file;
    this.#steadyMs = steadyMs;
    this.#changedAtMs = steadyMs();
  }

  /** Throws a system error. */
  async beat(): Promise<void> {
    await this.#file.write(crypto.randomUUID());
  }

  /** Milliseconds since the last change that was seen; since the first sample where none was. */
  async ageMs(): Promise<number> {
    const text = await this.#file.read();
    if (this.#last !== null && text !== this.#last) {
      this.#changedAtMs = this.#steadyMs();
    }
    this.#last = text;
    return this.#steadyMs() - this.#changedAtMs;
  }
}
