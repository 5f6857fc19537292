/**
 * What a run does now: each action at its time after the start, and as far behind the change before it as planned.
 * After a delay (the command was killed, a gateway was away) the rest comes later, in the same order and distances:
 * probes soon after a late announcement would show what was before it. Pure.
 */
import type { Announcement } from "./definition.ts";
import type { ExperimentBook } from "./journal.ts";
import type { PlannedAction } from "./plan.ts";

interface Progress {
  readonly startMs: number;
  readonly nowMs: number;
  /** When the last change was made, or made anew after it had lapsed; null = none was. */
  readonly changedMs: number | null;
  /** By number of the action. */
  readonly isDone: (action: number) => boolean;
}

/** Actions that are due and not done, with their numbers. */
export function dueActions(
  actions: readonly PlannedAction[],
  { startMs, nowMs, changedMs, isDone }: Progress,
): [number, PlannedAction][] {
  const left = [...actions.entries()].filter(([number]) => !isDone(number));
  return left.filter(([, action]) => {
    const isInTime = startMs + 1000 * action.sec <= nowMs;
    return isInTime && !left.some(([, other]) => blocks(other, action)) && isFarEnough(action);
  });

  /** From the change before it. The first change, and looks before it, wait for none. */
  function isFarEnough(action: PlannedAction): boolean {
    const before = actions.findLast((other) => isChange(other) && comesAfter(action, other));
    return (
      before === undefined || (changedMs !== null && nowMs >= changedMs + 1000 * (action.sec - before.sec))
    );
  }
}

/**
 * What an earlier start has announced, by site. A site with a change that was requested, and may have been made, is
 * left out: renewing the previous announcement would undo it.
 */
export function standingAfter(
  actions: readonly PlannedAction[],
  { done, asked }: Pick<ExperimentBook, "done" | "asked">,
): Map<string, Announcement> {
  const standing = new Map<string, Announcement>();
  for (const [number, action] of actions.entries()) {
    if (!("site" in action) || !asked.has(number)) {
      continue;
    }
    if (action.kind === "announce" && done.has(number)) {
      standing.set(action.site, action.as);
    } else {
      standing.delete(action.site);
    }
  }
  return standing;
}

function isChange({ kind }: PlannedAction): boolean {
  return kind === "announce" || kind === "withdraw";
}

/** Changes of one moment are made together; looks of that moment come behind them. */
function comesAfter(action: PlannedAction, change: PlannedAction): boolean {
  return isChange(action) ? change.sec < action.sec : change.sec <= action.sec;
}

/** Changes come before later ones and before looks of their step, and a catchment before the change behind it. */
function blocks(other: PlannedAction, action: PlannedAction): boolean {
  return isChange(other)
    ? comesAfter(action, other)
    : other.kind === "catchment" && isChange(action) && other.sec < action.sec;
}
