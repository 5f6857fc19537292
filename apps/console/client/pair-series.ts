/** The series of an agent and a destination. */

/** By pair, each figure a list in the order of the runs. */
export interface PairSeries {
  readonly name: string;
  readonly atSec: number[];
  readonly run: readonly (number | null)[];
  readonly lowMs: (number | null)[];
  readonly medianMs: (number | null)[];
  readonly highMs: (number | null)[];
  readonly lossPercent: number[];
}
