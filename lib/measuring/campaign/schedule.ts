/**
 * The clock rule: run k of a campaign is planned at start + k x every, whatever happened to earlier runs. So runs
 * neither drift nor bunch up, and the planned times are the same for every caller.
 *
 *   start 12:00, every 600 s:   run 0 12:00, run 1 12:10, run 2 12:20, …
 *   edited before run 2, to every 900 s:   firstRun = 2, planned for 12:30, the first of 12:00, 12:15, 12:30
 *                                          that is not before the edit
 */
import { type CronTiming, cronAfterMs } from "./cron.ts";
import { cronRunsOfLookMax } from "./limits.ts";

/** `on`: runs begin with events, so many in an hour, and none is planned. */
type Timing =
  | { readonly kind: "every"; readonly everySec: number }
  | CronTiming
  | { readonly kind: "on"; readonly perHourMax: number };

export interface Schedule {
  readonly timing: Timing;
  /** Milliseconds since 1970: the first run, or the time from which the pattern counts. */
  readonly startMs: number;
  /** Number of the first run: 0, or after an edit that of the first run under the new schedule. */
  readonly firstRun: number;
  /** No run starts at or after this; null = no end. */
  readonly stopMs: number | null;
  /** Runs have numbers below this, including missed ones; null = no limit. */
  readonly runsMax: number | null;
  /** How late a run may start; after that it is missed. */
  readonly slipMs: number;
  /** After an outage, `once` starts the latest of the missed runs at once; `skip` waits for the next one. */
  readonly onMissed: "skip" | "once";
  /** A run that is due while the previous one is in progress is skipped, or starts after it. */
  readonly overlap: "skip" | "queue";
}

export interface Run {
  readonly number: number;
  readonly plannedMs: number;
}

/** The first run; null = there is none before the end. */
export function firstRun(schedule: Schedule): Run | null {
  const { timing, startMs, firstRun: number } = schedule;
  if (timing.kind === "on") {
    return null;
  }
  const plannedMs = timing.kind === "every" ? startMs : cronAfterMs(timing, startMs - 1);
  return within(schedule, number, plannedMs);
}

/** The run after another of the same schedule; null = that was the last. */
export function runAfter(schedule: Schedule, { number, plannedMs }: Run): Run | null {
  const { timing } = schedule;
  if (timing.kind === "on") {
    return null;
  }
  const next = timing.kind === "every" ? plannedMs + timing.everySec * 1000 : cronAfterMs(timing, plannedMs);
  return within(schedule, number + 1, next);
}

/** Whether an event begins a run. */
export function takesEvents(
  { timing, stopMs, runsMax }: Schedule,
  nextNumber: number,
  nowMs: number,
): boolean {
  const isInTime = stopMs === null || nowMs < stopMs;
  return timing.kind === "on" && isInTime && (runsMax === null || nextNumber < runsMax);
}

interface Span {
  readonly last: Run;
  readonly after: Run | null;
}

/**
 * From a run that is due, the last one that is; for a cron pattern at most `cronRunsOfLookMax` runs further, so that
 * `after` may be due as well.
 */
export function dueFrom(schedule: Schedule, from: Run, nowMs: number): Span {
  const { timing } = schedule;
  if (timing.kind === "every") {
    const last = lastEvery(schedule, from, timing.everySec * 1000, nowMs);
    return { last, after: runAfter(schedule, last) };
  }
  let last = from;
  let after = runAfter(schedule, last);
  for (let runs = 1; after !== null && after.plannedMs <= nowMs && runs < cronRunsOfLookMax; runs++) {
    last = after;
    after = runAfter(schedule, last);
  }
  return { last, after };
}

/** The schedule from an edit on: the next run keeps its number, at the first time that is not before now. */
export function fromEditOn(schedule: Schedule, nextNumber: number, nowMs: number): Schedule {
  const { timing, startMs } = schedule;
  const earliestMs = Math.max(startMs, nowMs);
  const stepMs = timing.kind === "every" ? timing.everySec * 1000 : 1;
  const steps = Math.ceil((earliestMs - startMs) / stepMs);
  return { ...schedule, startMs: startMs + steps * stepMs, firstRun: nextNumber };
}

function lastEvery({ stopMs, runsMax }: Schedule, from: Run, everyMs: number, nowMs: number): Run {
  const latestMs = stopMs === null ? nowMs : Math.min(nowMs, stopMs - 1);
  const byClock = Math.floor((latestMs - from.plannedMs) / everyMs);
  const byNumber = runsMax === null ? byClock : runsMax - 1 - from.number;
  const steps = Math.max(0, Math.min(byClock, byNumber));
  return { number: from.number + steps, plannedMs: from.plannedMs + steps * everyMs };
}

function within({ stopMs, runsMax }: Schedule, number: number, plannedMs: number | null): Run | null {
  const isOver =
    plannedMs === null || (stopMs !== null && plannedMs >= stopMs) || (runsMax !== null && number >= runsMax);
  return isOver ? null : { number, plannedMs };
}
