/**
 * The most memory that a process has had, looked at while it runs (VmHWM, proc(5)). What wait(2) says of a child begins
 * with its parent's, which is more than a C loop ever has.
 */
import { peakKbOf } from "./pipeline/process-usage.ts";

const lookEveryMs = 50;

export class PeakMemory implements Disposable {
  /** Memory at the last look; 0 before the first. */
  megabytes = 0;
  readonly #timer: Timer;

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      this.megabytes = (peakKbOf(pid) * 1024) / 1e6 || this.megabytes;
    }, lookEveryMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
