/** What became of each probe of an agent: when it was on the wire, how often, and how many rows its answer has. */

const countMax = 255;

export class Tally {
  readonly size: number;
  /** Milliseconds since the epoch; 0 = never. */
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly sends: Uint8Array;
  readonly rows: Uint8Array;
  /** 1 = an answer came to the interface of the agent. */
  readonly answered: Uint8Array;
  /** 1 = a submission with this agent was accepted. */
  readonly wanted: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.firstMs = new Float64Array(size);
    this.lastMs = new Float64Array(size);
    this.sends = new Uint8Array(size);
    this.rows = new Uint8Array(size);
    this.answered = new Uint8Array(size);
    this.wanted = new Uint8Array(size);
  }

  want(from: number, to: number): void {
    this.wanted.fill(1, from, to);
  }

  sent(index: number, atMs: number): void {
    if (this.sends[index] === 0) {
      this.firstMs[index] = atMs;
    }
    this.lastMs[index] = atMs;
    this.sends[index] = Math.min(countMax, (this.sends[index] ?? 0) + 1);
  }

  heard(index: number): void {
    this.answered[index] = 1;
  }

  stored(index: number, rows: number): void {
    this.rows[index] = Math.min(countMax, rows);
  }
}

export interface Sums {
  /** Probes that were on the wire at least once. */
  sent: number;
  /** Accepted, and never on the wire. */
  neverSent: number;
  /** On the wire more often than once: packets too many. */
  repeated: number;
  /** An answer came to the interface, and has no row. */
  lostReplies: number;
  /** On the wire, and neither an answer nor a row: lost by the network, which a machine without time makes. */
  unanswered: number;
  /** Rows beyond one for each packet. */
  doubledRows: number;
}

export function noSums(): Sums {
  return { sent: 0, neverSent: 0, repeated: 0, lostReplies: 0, unanswered: 0, doubledRows: 0 };
}

/** When something happened to a probe, and what it is counted under. */
interface Periods {
  /** Sums of one packet. */
  readonly at: (ms: number) => Sums;
  /** Sums of the same probe again. */
  readonly between: (firstMs: number, lastMs: number) => Sums;
}

/** What was never sent has the time 0. */
export function sumUp(tally: Tally, periods: Periods): void {
  for (let index = 0; index < tally.size; index++) {
    if (tally.wanted[index] === 0) {
      continue;
    }
    const sends = tally.sends[index] ?? 0;
    const rows = tally.rows[index] ?? 0;
    const lastMs = tally.lastMs[index] ?? 0;
    const sums = periods.at(lastMs);
    sums.sent += Math.min(1, sends);
    sums.neverSent += sends === 0 ? 1 : 0;
    const isAnswered = tally.answered[index] === 1;
    sums.lostReplies += rows === 0 && isAnswered ? 1 : 0;
    sums.unanswered += sends > 0 && rows === 0 && !isAnswered ? 1 : 0;
    sums.doubledRows += Math.max(0, rows - Math.max(1, sends));
    if (sends > 1) {
      periods.between(tally.firstMs[index] ?? 0, lastMs).repeated += sends - 1;
    }
  }
}
