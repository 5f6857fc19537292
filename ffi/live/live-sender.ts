/**
 * The back end `live`: an XDP program in the kernel takes frames from the hot path's memory and redirects them to the
 * interface (BPF_F_TEST_XDP_LIVE_FRAMES, Linux 5.18). A thread of its own blocks in the call, and uses a
 * whole core even when there is nothing to send. So below a certain rate, and while the call is restarted
 * (some 24 ms), another back end sends, which copies before it returns.
 *
 * The memory of the frames becomes the value of a map, so the program reads what WebAssembly has filled. At most
 * `aheadMax` frames wait when a batch is put behind them: a frame leaves within a tick of its time code.
 */
import { createArrayMap, loadXdpProgram } from "../bpf/bpf.ts";
import { Clock } from "../clock.ts";
import { Cores } from "../cores.ts";
import { batchFramesMax, type FrameSender, type SlotRun } from "../frame-sender.ts";
import type { Hotpath } from "../hotpath/hotpath.ts";
import * as layout from "../hotpath/memory-layout.ts";
import { errnoNumbers, libc } from "../libc.ts";
import type { Link } from "../netlink/link.ts";
import { mapOver } from "../paged-memory.ts";
import * as at from "./live-memory.ts";
import { liveProgram } from "./live-program.ts";
import { LiveUse } from "./live-use.ts";

const batches = layout.batchProbesMax / batchFramesMax;
const aheadMax = 64;
/** Longer than a full ring takes at a tenth of the usual rate. */
const roomWaitUs = 2000;

export interface LivePlan {
  /** See live-memory.ts; its thread has it too. */
  readonly memory: SharedArrayBuffer;
  readonly askedProbesPerSec: () => number;
  /**
   * Makes the sender for when this one does not send, on the frames' memory; it must copy before it returns.
   */
  readonly makeBelow: () => FrameSender;
}

export class LiveSender implements FrameSender {
  readonly backEnd = "live";
  redirected = 0;
  readonly #hotpath: Hotpath;
  readonly #below: FrameSender;
  readonly #words: Int32Array;
  readonly #clock = new Clock();
  readonly #use: LiveUse;
  readonly #cores = new Cores();
  readonly #descriptors: readonly number[];
  /** The value of `producer` after the last frame of each batch. */
  readonly #ends = new Int32Array(batches);
  readonly #free = { first: 0, count: 0 };
  #producer = 0;
  /** The core that this thread avoids; -1 = none. */
  #callCore = -1;

  /** Throws SystemError where this kernel has no live frames, or this process may not load programs. */
  constructor(hotpath: Hotpath, link: Link, { memory, askedProbesPerSec, makeBelow }: LivePlan) {
    this.#hotpath = hotpath;
    this.#words = new Int32Array(memory);
    this.#use = new LiveUse(memory, this.#clock, askedProbesPerSec);
    const descriptors: number[] = [];
    try {
      const frames = createArrayMap(at.frameMapBytes);
      descriptors.push(frames);
      const control = createArrayMap(at.controlBytes);
      descriptors.push(control);
      const program = loadXdpProgram(liveProgram({ control, frames, interfaceIndex: link.index }));
      descriptors.push(program);
      const frameBytes = layout.batchProbesMax * layout.frameSlotBytes;
      mapOver(
        frames,
        hotpath.bytes.subarray(layout.framesAt, layout.framesAt + frameBytes),
        "the frames of live",
      );
      mapOver(control, new Uint8Array(memory, 0, at.controlBytes), "the ring of live");
      this.#words[at.programAt / 4] = program;
      this.#below = makeBelow();
    } catch (error) {
      closeAll(descriptors);
      throw error;
    }
    this.#descriptors = descriptors;
  }

  get dropped(): number {
    return this.#below.dropped + (Atomics.load(this.#words, at.lostAt / 4) >>> 0);
  }

  /** One batch, and only when it can be put on the ring at once, as its send time is that of filling. */
  freeSlots(): SlotRun {
    this.#free.count = 0;
    if (this.#use.isTaking() && !this.#waitFor(aheadMax)) {
      return this.#free;
    }
    const consumer = Atomics.load(this.#words, at.consumerAt / 4);
    for (let batch = 0; batch < batches; batch++) {
      if ((((this.#ends[batch] ?? 0) - consumer) | 0) <= 0) {
        this.#free.first = batch * batchFramesMax;
        this.#free.count = batchFramesMax;
        break;
      }
    }
    return this.#free;
  }

  send(first: number, count: number): number {
    this.#use.note(count);
    const isTaking = this.#use.isTaking();
    this.#keepOff(isTaking ? Atomics.load(this.#words, at.coreAt / 4) : -1);
    if (isTaking) {
      return this.#waitFor(aheadMax) ? this.#enqueue(first, count) : -errnoNumbers.EAGAIN;
    }
    // Frames on the ring must leave first.
    return this.#waitFor(0) ? this.#below.send(first, count) : -errnoNumbers.EAGAIN;
  }

  /** Waits until the frames on the ring have left. */
  [Symbol.dispose](): void {
    this.#waitFor(0);
    this.#use.end();
    this.#below[Symbol.dispose]();
    closeAll(this.#descriptors);
  }

  /**
   * Keeps this thread off the call's core, which the call never yields: filling and taking frames would
   * alternate.
   */
  #keepOff(core: number): void {
    if (core === this.#callCore) {
      return;
    }
    this.#callCore = core;
    if (core === -1) {
      this.#cores.all();
    } else {
      this.#cores.allBut(core);
    }
  }

  /** Whether at most `framesMax` frames wait, now or within `roomWaitUs`. */
  #waitFor(framesMax: number): boolean {
    if (this.#waiting() <= framesMax) {
      return true;
    }
    const endUs = this.#clock.monotonicUs() + roomWaitUs;
    while (this.#waiting() > framesMax) {
      if (this.#clock.monotonicUs() > endUs) {
        return false;
      }
      // Sleeping is too coarse, and the thread that fills this sender's ring may have no other core.
      libc().sched_yield();
    }
    return true;
  }

  #waiting(): number {
    return (this.#producer - Atomics.load(this.#words, at.consumerAt / 4)) | 0;
  }

  #enqueue(first: number, count: number): number {
    const { view } = this.#hotpath;
    for (let i = 0; i < count; i++) {
      const slot = first + i;
      const bytes = view.getUint32(layout.iovecsAt + slot * layout.iovecBytes + 8, true);
      const word = at.ringAt / 4 + ((this.#producer + i) & (at.ringFrames - 1));
      this.#words[word] = slot | (bytes << 16);
    }
    this.redirected += count;
    this.#producer = (this.#producer + count) | 0;
    Atomics.store(this.#words, at.producerAt / 4, this.#producer);
    this.#ends[Math.floor(first / batchFramesMax)] = this.#producer;
    return count;
  }
}

function closeAll(descriptors: readonly number[]): void {
  for (const fd of descriptors) {
    libc().close(fd);
  }
}
