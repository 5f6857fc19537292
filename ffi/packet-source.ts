/** Where captured packets come from: a live interface, or a file. */
export interface PacketSource extends Disposable {
  /** LINKTYPE_*, see tests/packet/link-layer.ts. */
  readonly linkType: number;
  /** Unit of the stamps' fraction. */
  readonly fractionNs: 1 | 1000;
  /** Where in the hot path's memory the records of each `read` start. */
  readonly recordsAt: number;
  /**
   * Moves the next packets into memory as pcap records; returns where they end (`recordsAt` without packets so far),
   * or -1 at the end of the source.
   */
  read(): number;
}
