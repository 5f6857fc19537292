/** What a sender needs of a way to put frames on a link: the back ends `packet` and, later, `xdp`. */
export interface FrameSender extends Disposable {
  /**
   * Hands the frames `first` to `first + count - 1` of the hot path's memory to the kernel, in order.
   *
   * Returns how many it took; a negative errno when it took none.
   */
  send(first: number, count: number): number;
}
