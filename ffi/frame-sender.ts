/** The interface of the back ends that put frames on a link: `packet` and `xdp`. */

/** Most frames of one `send`; a batch never crosses a multiple of this many slots. */
export const batchFramesMax = 64;

/** Slots that may be filled now. */
export interface SlotRun {
  readonly first: number;
  readonly count: number;
}

export interface FrameSender extends Disposable {
  readonly backEnd: "packet" | "xdp";
  /** Frames that the kernel accepted and then dropped, in total. */
  readonly dropped: number;
  /**
   * Free slots in whole batches; none while the kernel still reads from all of them. The next call reuses the
   * result.
   */
  freeSlots(): SlotRun;
  /**
   * Passes the frames `first` to `first + count - 1` of the hot path's memory to the kernel, in order.
   *
   * Returns how many it accepted; a negative errno when it accepted none. The others may be refilled and sent again, or
   * skipped from the front; slots remain the caller's until the kernel has accepted them.
   */
  send(first: number, count: number): number;
}
