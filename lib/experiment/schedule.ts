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

/** Numbers of actions that are due and not done. */
export function dueActions(actions: readonly PlannedAction[], progress: Progress): number[] {
  const { startMs, nowMs, changedMs, isDone } = progress;
  const changeSecs = actions.flatMap((action) => (isChange(action) ? [action.sec] : []));
  return [...actions.entries()].flatMap(([number, action]) => {
    if (isDone(number) || startMs + 1000 * action.sec > nowMs) {
      return [];
    }
    const isBefore = (sec: number) => (isChange(action) ? sec < action.sec : sec <= action.sec);
    const beforeSec = Math.max(...changeSecs.filter(isBefore));
    const isWaiting = [...actions.entries()].some(
      ([other, { sec, kind }]) => !isDone(other) && blocks({ sec, kind }, action),
    );
    // Math.max of nothing: the first change, and looks before it, wait for none.
    const isNear =
      Number.isFinite(beforeSec) &&
      (changedMs === null || nowMs < changedMs + 1000 * (action.sec - beforeSec));
    return isWaiting || isNear ? [] : [number];
  });
}

/**
 * What an earlier start has announced, by site. A site with a change that was asked for, and may have been made, is
 * left out: to renew what stood before would undo it.
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

function isChange({ kind }: Pick<PlannedAction, "kind">): boolean {
  return kind === "announce" || kind === "withdraw";
}

/** Changes come before later ones and before looks of their step, and a catchment before the change behind it. */
function blocks(other: Pick<PlannedAction, "kind" | "sec">, action: PlannedAction): boolean {
  if (isChange(other)) {
    return isChange(action) ? other.sec < action.sec : other.sec <= action.sec;
  }
  return other.kind === "catchment" && isChange(action) && other.sec < action.sec;
}
