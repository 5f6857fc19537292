/**
 * A plan's changes compared with the exchange servers' limits for the prefix: each announcement is one change there, a
 * withdrawal none (docs/operate/policy-generator.md). Pure.
 */
import type { ChangeBudget } from "../../base/api/change-budget.ts";
import { exchangeMarginSec } from "./limits.ts";

/** One exchange server's limit for the prefix. Seconds count from the start of the experiment. */
export interface SiteBudget {
  /** Changes in a row after a long time without any. */
  readonly max: number;
  /** Time until one more is accepted. */
  readonly everySec: number;
  /** When all of them are available; 0 or less = at the start. */
  readonly fullSec: number;
  /** Until when the prefix is refused; 0 or less = it is not. */
  readonly heldSec: number;
}

/** The budget that an exchange reports, for an experiment that starts at `startMs`. */
export function siteBudget(budget: ChangeBudget, startMs: number): SiteBudget {
  const secOf = (time: string | null) => (time === null ? 0 : (Date.parse(time) - startMs) / 1000);
  return {
    ...{ max: budget.max, everySec: budget.every_seconds },
    ...{ fullSec: secOf(budget.spent_until), heldSec: secOf(budget.held_until) },
  };
}

export interface ChangesAtSite {
  readonly budget: SiteBudget;
  /** Changes left after each accepted one, by its time. */
  readonly leftBySec: ReadonlyMap<number, number>;
  /** The first change that the exchange would refuse, and when it would accept it; null = it accepts them all. */
  readonly refused: { readonly sec: number; readonly possibleSec: number; readonly isHeld: boolean } | null;
  /** When all of them are available again. */
  readonly fullSec: number;
}

/** Announcements at these moments, in order. A moment shortly before a change becomes possible is too soon. */
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

/** Changes available at `sec`, without any before. */
export function leftAt({ max, everySec, fullSec }: Omit<SiteBudget, "heldSec">, sec: number): number {
  return Math.max(0, max - Math.ceil(Math.max(0, fullSec - sec) / everySec));
}
