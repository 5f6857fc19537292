/** What is detected in a campaign's runs, and when it is worth an alert. */
import type { HoldRule } from "./hold.ts";

export type Detector = keyof Rules;

interface LossRule {
  /** Share from 0 to 1. */
  readonly threshold: number;
  readonly runs: number;
}

/** A detector that is left out is off. */
export interface Rules {
  readonly loss?: LossRule | undefined;
  readonly rtt?: (HoldRule & { readonly gapMs: number; readonly gapShare: number }) | undefined;
  /** Shares that correlate less than this are contrary. */
  readonly next_hops?: (HoldRule & { readonly correlation: number }) | undefined;
  readonly new_link?: HoldRule | undefined;
  readonly truncation?: HoldRule | undefined;
  readonly loop?: HoldRule | undefined;
  readonly new_as?: HoldRule | undefined;
  readonly silence?: HoldRule | undefined;
}

/** Two of three runs; a change of the network without a fault counts as usual after twelve. */
export const faultHold: HoldRule = { raise: 2, of: 3, settle: null };
export const changeHold: HoldRule = { raise: 2, of: 3, settle: 12 };

export const everyRule = {
  loss: { threshold: 0.1, runs: 3 },
  rtt: { ...changeHold, gapMs: 1, gapShare: 0.1 },
  next_hops: { ...changeHold, correlation: -0.25 },
  new_link: changeHold,
  truncation: faultHold,
  loop: faultHold,
  new_as: changeHold,
  silence: faultHold,
} as const satisfies Rules;

/** By default, the smoothed reference learns from a run whose shares correlate more than this. */
export const contraryDefault = everyRule.next_hops.correlation;
