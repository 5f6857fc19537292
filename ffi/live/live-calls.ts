/** The thread's side of the back end `live`: makes the call, again and again, while the sender orders it. */

import { runLive } from "../bpf/bpf.ts";
import { Clock } from "../clock.ts";
import { Cores } from "../cores.ts";
import { errnoNumbers } from "../libc.ts";
import * as at from "./live-memory.ts";

/** A third of a second without frames, three at line rate: so long it takes to leave the call, which 24 ms begin. */
const runsPerCall = 2 ** 22;
/** Pages of the kernel that are in use together: those of one batch of the sender. */
const batch = 64;
/** A call that failed is tried again after so long. */
const retryUs = 1_000_000;
const lookEveryMs = 1000;

export class LiveCalls implements Disposable {
  readonly #words: Int32Array;
  readonly #onFailure: (text: string) => void;
  readonly #cores = new Cores();
  readonly #frame = new Uint8Array(at.liveFrameBytesMax);

  constructor(memory: SharedArrayBuffer, onFailure: (text: string) => void) {
    this.#words = new Int32Array(memory);
    this.#onFailure = onFailure;
  }

  /** Until the order is to end. */
  run(): void {
    for (;;) {
      const order = Atomics.load(this.#words, at.orderAt / 4);
      if (order === at.liveOrder.end) {
        return;
      }
      if (order === at.liveOrder.run) {
        this.#call();
      } else {
        Atomics.wait(this.#words, at.orderAt / 4, order, lookEveryMs);
      }
    }
  }

  [Symbol.dispose](): void {}

  #call(): void {
    const words = this.#words;
    const call = (words[at.callAt / 4] ?? 0) + 1;
    words[at.callAt / 4] = call;
    words[at.leftAt / 4] = runsPerCall;
    Atomics.add(words, at.callsAt / 4, 1);
    const program = words[at.programAt / 4] ?? -1;
    // The sender keeps off the core, so a move would bring the two together.
    const core = this.#cores.current();
    words[at.coreAt / 4] = core;
    this.#cores.only(core);
    const result = runLive({ program, frame: this.#frame, runs: runsPerCall, batch });
    this.#cores.all();
    // It is so already, unless the call has ended before its last run.
    Atomics.store(words, at.takingAt / 4, 0);
    if (result < 0 && -result !== errnoNumbers.EINTR) {
      words[at.failureAt / 4] = -result;
      this.#onFailure(`Cannot send live frames (errno ${-result}); packets leave the usual way`);
      new Clock().sleepUs(retryUs);
    }
  }
}
