/**
 * The changes of a plan, laid against what exchange servers take of a prefix: each announcement is one change there,
 * a withdrawal none (docs/operate/policy-generator.md). Pure.
 */
import type { ChangeBudget } from "../../base/api/change-budget.ts";
import { exchangeMarginSec } from "./limits.ts";

/** What one exchange server takes of the prefix. Seconds count from the start of the experiment. */
export interface SiteBudget {
  /** Changes in a row, when there was none for a long time. */
  readonly max: number;
  /** Until one more is taken. */
  readonly everySec: number;
  /** All of them may be made then; 0 or less = at the start. */
  readonly fullSec: number;
  /** The prefix is refused until then; 0 or less = it is not. */
  readonly heldSec: number;
}

/** As an exchange says it, for an experiment that starts at `startMs`. */
export function siteBudget(told: ChangeBudget, startMs: number): SiteBudget {
  const secOf = (time: string | null) => (time === null ? 0 : (Date.parse(time) - startMs) / 1000);
  return {
    ...{ max: told.max, everySec: told.every_seconds },
    ...{ fullSec: secOf(told.spent_until), heldSec: secOf(told.held_until) },
  };
}

export interface ChangesAtSite {
  readonly budget: SiteBudget;
  /** Changes that are left behind each of them that is taken, by its time. */
  readonly leftBySec: ReadonlyMap<number, number>;
  /** The first change that the exchange would not take, and when it would; null = it takes them all. */
  readonly refused: { readonly sec: number; readonly possibleSec: number; readonly isHeld: boolean } | null;
  /** When all of them may be made again. */
  readonly fullSec: number;
}

/** Announcements at these moments, in order. A moment a little before another change is possible is too soon. */
export function laidAgainst(moments: readonly number[], budget: SiteBudget): ChangesAtSite {
  const leftBySec = new Map<number, number>();
  let { fullSec } = budget;
  for (const sec of moments) {
    const oneSec = fullSec - (budget.max - 1) * budget.everySec + exchangeMarginSec;
    const possibleSec = Math.ceil(Math.max(fullSec > 0 ? oneSec : 0, budget.heldSec));
    if (possibleSec > sec) {
      return { budget, leftBySec, refused: { sec, possibleSec, isHeld: budget.heldSec > sec }, fullSec };
    }
    fullSec = Math.max(fullSec, sec) + budget.everySec;
    leftBySec.set(sec, leftAt({ ...budget, fullSec }, sec));
  }
  return { budget, leftBySec, refused: null, fullSec };
}

/** Changes that may be made at `sec`, if none is before. */
export function leftAt({ max, everySec, fullSec }: Omit<SiteBudget, "heldSec">, sec: number): number {
  return Math.max(0, max - Math.ceil(Math.max(0, fullSec - sec) / everySec));
}
