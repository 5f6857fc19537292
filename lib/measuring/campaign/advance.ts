/**
 * A campaign's life as a pure state machine: a state and an event yield the next state and the actions to perform.
 *
 * The caller writes state and actions in one transaction, and performs the actions afterwards. An action that may
 * already have been performed, because the process was killed, is repeated under the same key (`stepKey`); its receiver
 * recognises the key and performs it only once.
 */
import { dueFrom, firstRun, fromEditOn, type Run, type Schedule, takesEvents } from "./schedule.ts";

export interface CampaignState {
  /** `ended`: no further run. A campaign whose last run is in progress is still active. */
  readonly phase: "active" | "paused" | "ended";
  /** Number of the next run, even when there will be none. */
  readonly nextNumber: number;
  /** Its start time; null = all runs of the schedule are over. */
  readonly nextMs: number | null;
  /** The current run; null = none. */
  readonly current: number | null;
  /** The run queued behind it; null = none. */
  readonly queued: Run | null;
  /** Runs planned before this fell into a pause; null = no pause. */
  readonly resumedMs: number | null;
}

export type CampaignEvent =
  | { readonly kind: "time" }
  /** What the campaign waits for has happened. */
  | { readonly kind: "happened" }
  /** Everything in a run has ended, or could not be started. */
  | { readonly kind: "runEnded"; readonly number: number }
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  | { readonly kind: "stop" }
  /** The schedule in this event is new. */
  | { readonly kind: "edit" };

/**
 * Why a run was skipped: the service was down, the previous run was in progress, or the campaign was paused or stopped.
 */
type PassReason = "missed" | "overlap" | "paused" | "stopped";

export type CampaignAction =
  /** Missed when not started by `latestMs`: the process that should have started it has died. */
  | { readonly kind: "run"; readonly run: Run; readonly latestMs: number }
  /** Skipped runs: from one to another, both included. */
  | { readonly kind: "pass"; readonly first: Run; readonly last: Run; readonly reason: PassReason }
  /** Cancels the unsent part of the current run. */
  | { readonly kind: "cancel"; readonly number: number }
  | { readonly kind: "end"; readonly reason: "finished" | "stopped" };

interface Advance {
  readonly state: CampaignState;
  readonly actions: readonly CampaignAction[];
}

/** A campaign before its first event. */
export function newCampaign(schedule: Schedule): CampaignState {
  const first = firstRun(schedule);
  const next = { nextNumber: schedule.firstRun, nextMs: first?.plannedMs ?? endOfEvents(schedule) };
  return { phase: "active", ...next, current: null, queued: null, resumedMs: null };
}

/** The next moment of a campaign that waits for events is its end. */
function endOfEvents({ timing, stopMs }: Schedule): number | null {
  return timing.kind === "on" ? stopMs : null;
}

/** The key of every attempt at a run's step. Users cannot choose it: their keys have no spaces. */
export function stepKey(campaignId: string, run: number, step: number): string {
  return `campaign ${campaignId} ${run} ${step}`;
}

/** The schedule that takes effect with an edit: see `fromEditOn`. */
export function editedSchedule(schedule: Schedule, { nextNumber }: CampaignState, nowMs: number): Schedule {
  return fromEditOn(schedule, nextNumber, nowMs);
}

/** Never throws; an event that makes no sense in a state, such as the end of another run, has no effect. */
export function advance(
  schedule: Schedule,
  state: CampaignState,
  event: CampaignEvent,
  nowMs: number,
): Advance {
  if (state.phase === "ended") {
    return { state, actions: [] };
  }
  switch (event.kind) {
    case "time":
      return settled(schedule, onTime(schedule, state, nowMs), nowMs);
    case "happened":
      return settled(schedule, onEvent(schedule, state, nowMs), nowMs);
    case "runEnded":
      return event.number === state.current
        ? settled(schedule, onRunEnded(schedule, state, nowMs), nowMs)
        : unchanged(state);
    case "pause":
      return unchanged({ ...state, phase: "paused" });
    case "resume":
      return state.phase === "paused"
        ? unchanged({ ...state, phase: "active", resumedMs: nowMs })
        : unchanged(state);
    case "stop":
      return onStop(state);
    case "edit":
      return settled(
        schedule,
        unchanged({ ...state, nextMs: firstRun(schedule)?.plannedMs ?? endOfEvents(schedule) }),
        nowMs,
      );
  }
}

function unchanged(state: CampaignState): Advance {
  return { state, actions: [] };
}

/** Only the latest of several due runs can still be in time. */
function onTime(schedule: Schedule, state: CampaignState, nowMs: number): Advance {
  const { nextMs, nextNumber, resumedMs, phase } = state;
  if (nextMs === null || nextMs > nowMs || phase === "paused") {
    return unchanged(state);
  }
  if (schedule.timing.kind === "on") {
    return unchanged({ ...state, nextMs: null });
  }
  const next = { number: nextNumber, plannedMs: nextMs };
  if (resumedMs !== null && nextMs < resumedMs && !isHeld(schedule)) {
    const { last, after } = dueFrom(schedule, next, Math.min(nowMs, resumedMs - 1));
    return { state: moved(state, last, after), actions: [passed(next, last, "paused")] };
  }
  const { last, after } = dueFrom(schedule, next, nowMs);
  const moving = moved(state, last, after);
  const isLatest = after === null || after.plannedMs > nowMs;
  const isInTime = nowMs - last.plannedMs <= schedule.slipMs || schedule.onMissed === "once";
  if (!isLatest || !isInTime) {
    return { state: moving, actions: [passed(next, last, "missed")] };
  }
  const begun = begin(schedule, moving, last, nowMs);
  return { state: begun.state, actions: [...missedBefore(schedule, next, last), ...begun.actions] };
}

/** Events wait for the run before, and for the end of a pause. */
function onEvent(schedule: Schedule, state: CampaignState, nowMs: number): Advance {
  const { nextNumber: number, phase, current } = state;
  if (phase === "paused" || current !== null || !takesEvents(schedule, number, nowMs)) {
    return unchanged(state);
  }
  return begin(schedule, { ...state, nextNumber: number + 1 }, { number, plannedMs: nowMs }, nowMs);
}

/** A pause delays the only run of a campaign that catches up on missed ones: skipped, it would never start. */
function isHeld({ runsMax, onMissed }: Schedule): boolean {
  return runsMax === 1 && onMissed === "once";
}

/** The runs from one up to, not including, another. */
function missedBefore(schedule: Schedule, first: Run, until: Run): CampaignAction[] {
  return first.number === until.number
    ? []
    : [passed(first, dueFrom(schedule, first, until.plannedMs - 1).last, "missed")];
}

function begin(schedule: Schedule, state: CampaignState, run: Run, nowMs: number): Advance {
  const { overlap, slipMs } = schedule;
  if (state.current === null) {
    const action = { kind: "run", run, latestMs: nowMs + slipMs } as const;
    return { state: { ...state, current: run.number, queued: null }, actions: [action] };
  }
  if (overlap === "queue" && state.queued === null) {
    return unchanged({ ...state, queued: run });
  }
  return { state, actions: [passed(run, run, "overlap")] };
}

function onRunEnded(schedule: Schedule, state: CampaignState, nowMs: number): Advance {
  const { queued, phase } = state;
  const rest = { ...state, current: null, queued: null };
  if (queued === null) {
    return unchanged(rest);
  }
  if (phase === "paused") {
    return { state: rest, actions: [passed(queued, queued, "paused")] };
  }
  const isOver = schedule.stopMs !== null && nowMs >= schedule.stopMs;
  return isOver
    ? { state: rest, actions: [passed(queued, queued, "overlap")] }
    : begin(schedule, rest, queued, nowMs);
}

function onStop(state: CampaignState): Advance {
  const { current, queued } = state;
  return {
    state: { ...state, phase: "ended", nextMs: null, current: null, queued: null },
    actions: [
      ...(current === null ? [] : [{ kind: "cancel", number: current } as const]),
      ...(queued === null ? [] : [passed(queued, queued, "stopped")]),
      { kind: "end", reason: "stopped" },
    ],
  };
}

/** A campaign with nothing left to do has ended. */
function settled(schedule: Schedule, { state, actions }: Advance, nowMs: number): Advance {
  const isWaiting = state.nextMs !== null || takesEvents(schedule, state.nextNumber, nowMs);
  const hasRuns = state.nextMs === null || schedule.runsMax === null || state.nextNumber < schedule.runsMax;
  const isOver = !(isWaiting && hasRuns) && state.current === null && state.queued === null;
  return isOver
    ? { state: { ...state, phase: "ended" }, actions: [...actions, { kind: "end", reason: "finished" }] }
    : { state, actions };
}

function moved(state: CampaignState, last: Run, after: Run | null): CampaignState {
  return { ...state, nextNumber: last.number + 1, nextMs: after?.plannedMs ?? null };
}

function passed(first: Run, last: Run, reason: PassReason): CampaignAction {
  return { kind: "pass", first, last, reason };
}
