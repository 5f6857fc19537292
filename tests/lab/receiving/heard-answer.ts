/** A packet as `hear-answers.ts` tells it. */
export interface HeardAnswer {
  /** The stamp, since the epoch. */
  readonly atMs: number;
  readonly byXdp: boolean;
  /** Captured bytes, bytes on the wire, the frame in hex. */
  readonly packet: string;
  /** The record that came of it; empty = the packet was refused. */
  readonly reply: string;
}
