/**
 * Wakes a sleeping reader when another process writes to a log, by inotify on its write-ahead log. After each wake-up
 * it is deaf for a while, so that a constant writer does not wake a reader more often than its polls would.
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
        const watcher = watch(path, { persistent: false }, () => this.#notified());
        this.#watchers.push(watcher);
        watcher.on("error", () => this.#stop());
      }
      return true;
    } catch {
      // The machine may have run out of watches: the reader then polls.
      this.#stop();
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #notified(): void {
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
