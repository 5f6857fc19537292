/** The thread of the back end `live`: repeats the call for as long as the sender orders it. */
import { runLive } from "../bpf/bpf.ts";
import { Clock } from "../clock.ts";
import { Cores } from "../cores.ts";
import { errnoNumbers } from "../libc.ts";
import * as at from "./live-memory.ts";

/**
 * Lasts a third of a second without frames, three at line rate, as does leaving a call. Beginning one takes
 * 24 ms.
 */
const runsPerCall = 2 ** 22;
/** Kernel pages in use together: those of one batch of the sender. */
const batch = 64;
/** Pause before a failed call is tried again. */
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

  /** Runs until it is ordered to end. */
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
    // The sender keeps off this core, so moving to another could put both on one.
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
