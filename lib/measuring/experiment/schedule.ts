/**
 * What a run does now: each action at its time after the start, and as far behind the previous change as planned. After
 * a delay (the command was killed, a gateway was unavailable) the rest is shifted, in the same order and distances:
 * probes soon after a late announcement would show the state before it. Pure.
 */
import type { Announcement } from "./definition.ts";
import type { ExperimentLedger } from "./journal.ts";
import type { PlannedAction } from "./plan.ts";

interface Progress {
  readonly startMs: number;
  readonly nowMs: number;
  /** When the last change was made, or repeated after it had lapsed; null = none was. */
  readonly changedMs: number | null;
  /** By action number. */
  readonly isDone: (action: number) => boolean;
}

/** Numbers of the actions that are due and not done. */
export function dueActions(
  actions: readonly PlannedAction[],
  { startMs, nowMs, changedMs, isDone }: Progress,
): [number, PlannedAction][] {
  const left = [...actions.entries()].filter(([number]) => !isDone(number));
  return left.filter(([, action]) => {
    const isInTime = startMs + 1000 * action.sec <= nowMs;
    return isInTime && !left.some(([, other]) => blocks(other, action)) && isFarEnough(action);
  });

  /** From the previous change. The first change, and samples before it, wait for none. */
  function isFarEnough(action: PlannedAction): boolean {
    const before = actions.findLast((other) => isChange(other) && comesAfter(action, other));
    return (
      before === undefined || (changedMs !== null && nowMs >= changedMs + 1000 * (action.sec - before.sec))
    );
  }
}

/**
 * Earlier announcements, by site. A site with a change that was requested, and may have been made, is left out:
 * renewing the previous announcement would undo it.
 */
export function standingAfter(
  actions: readonly PlannedAction[],
  { done, asked }: Pick<ExperimentLedger, "done" | "asked">,
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

/** Simultaneous changes are made as one; samples at that moment follow them. */
function comesAfter(action: PlannedAction, change: PlannedAction): boolean {
  return isChange(action) ? change.sec < action.sec : change.sec <= action.sec;
}

/** Changes precede later ones and their step's samples, and a catchment precedes the next change. */
function blocks(other: PlannedAction, action: PlannedAction): boolean {
  return isChange(other)
    ? comesAfter(action, other)
    : other.kind === "catchment" && isChange(action) && other.sec < action.sec;
}
