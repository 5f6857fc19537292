/**
 * Hears that another process writes to a log, for a reader that sleeps: inotify on its write-ahead log. It says so
 * once, and is then deaf for a while: who writes all the time does not wake a reader more often than its polls would.
 */
import { type FSWatcher, watch } from "node:fs";
import { deafMs, visibleMs } from "./limits.ts";

export class ForeignWrites implements Disposable {
  readonly #paths: readonly string[];
  readonly #wake: () => void;
  #watchers: FSWatcher[] = [];
  #deafUntilMs = 0;

  constructor(paths: readonly string[], wake: () => void) {
    this.#paths = paths;
    this.#wake = wake;
  }

  /** A write from now on wakes the reader. False while it is deaf, or where files cannot be watched. */
  listen(): boolean {
    if (this.#watchers.length > 0) {
      return true;
    }
    if (performance.now() < this.#deafUntilMs) {
      return false;
    }
    try {
      for (const path of this.#paths) {
        const watcher = watch(path, { persistent: false }, () => this.#heard());
        this.#watchers.push(watcher);
        watcher.on("error", () => this.#stop());
      }
      return true;
    } catch {
      // As where the machine has no more watches: the reader polls.
      this.#stop();
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #heard(): void {
    if (this.#watchers.length > 0) {
      this.#stop();
      // The log is written a moment before readers see the records.
      setTimeout(this.#wake, visibleMs);
    }
  }

  #stop(): void {
    for (const watcher of this.#watchers) {
      watcher.close();
    }
    this.#watchers = [];
    this.#deafUntilMs = performance.now() + deafMs;
  }
}
