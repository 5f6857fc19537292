/** What a sender needs of a way to put frames on a link: the back ends `packet`, `xdp` and `live`. */

/** Frames of one batch: what `send` takes at most, none of them on both sides of a multiple of this many slots. */
export const batchFramesMax = 64;

/** Slots that may be filled now. */
export interface SlotRun {
  readonly first: number;
  readonly count: number;
}

export interface FrameSender extends Disposable {
  readonly backEnd: "packet" | "xdp" | "live";
  /** Frames that the kernel took and then dropped, in all. */
  readonly dropped: number;
  /** Frames that a program in the kernel took, in all; only `live` has one. */
  readonly redirected: number;
  /** Whole batches; none while the kernel still reads from all of them. The next call overwrites what this one gave. */
  freeSlots(): SlotRun;
  /**
   * Hands the frames `first` to `first + count - 1` of the hot path's memory to the kernel, in order.
   *
   * Returns how many it took; a negative errno when it took none. What it did not take may be filled again and handed
   * over again, or left out from the front; the slots stay the caller's until the kernel has taken them.
   */
  send(first: number, count: number): number;
}
