/** What a campaign will cost, before anything starts. */
import { estimateRunsMax } from "./limits.ts";
import { firstRun, runAfter, type Schedule } from "./schedule.ts";

interface Estimate {
  readonly probesPerRun: number;
  /** Runs of its fullest UTC day. */
  readonly runsPerDay: number;
  readonly probesPerDay: number;
  /** Share of the day's quota; above 1 the campaign exceeds it. Null = no quota. */
  readonly quotaShare: number | null;
  /** All of them; null = without end, or a cron pattern with more than an estimate looks at. */
  readonly runs: number | null;
  readonly probes: number | null;
  readonly firstMs: number | null;
  /** When the last run starts; null as for `runs`. */
  readonly lastMs: number | null;
  /** The first run that the quota of its UTC day has no room for; null = all have room, as far as it looks. */
  readonly quotaEndsMs: number | null;
}

const dayMs = 86_400_000;

/** `probesPerRun` = probes x agents. */
export function estimate(
  schedule: Schedule,
  probesPerRun: number,
  quotaProbesPerDay: number | null,
): Estimate {
  const { runs, firstMs, lastMs, runsPerDay } = timesOf(schedule);
  const probesPerDay = runsPerDay * probesPerRun;
  return {
    probesPerRun,
    runsPerDay,
    probesPerDay,
    quotaShare: quotaProbesPerDay === null ? null : probesPerDay / quotaProbesPerDay,
    runs,
    probes: runs === null ? null : runs * probesPerRun,
    firstMs,
    lastMs,
    quotaEndsMs: quotaProbesPerDay === null ? null : quotaEnd(schedule, probesPerRun, quotaProbesPerDay),
  };
}

/** Looks at two days, as the first may be a partial one. */
function quotaEnd(schedule: Schedule, probesPerRun: number, quotaProbesPerDay: number): number | null {
  let today = Number.NaN;
  let probes = 0;
  let next = firstRun(schedule);
  for (let runs = 0; next !== null && runs < 2 * estimateRunsMax; runs++) {
    const day = Math.floor(next.plannedMs / dayMs);
    probes = day === today ? probes + probesPerRun : probesPerRun;
    today = day;
    if (probes > quotaProbesPerDay) {
      return next.plannedMs;
    }
    next = runAfter(schedule, next);
  }
  return null;
}

type Times = Pick<Estimate, "runs" | "firstMs" | "lastMs" | "runsPerDay">;

function timesOf(schedule: Schedule): Times {
  return schedule.timing.kind === "every"
    ? timesOfEvery(schedule, schedule.timing.everySec * 1000)
    : timesOfCron(schedule);
}

function timesOfEvery({ startMs, firstRun: number, stopMs, runsMax }: Schedule, everyMs: number): Times {
  const byClock = stopMs === null ? null : Math.max(0, Math.ceil((stopMs - startMs) / everyMs));
  const byNumber = runsMax === null ? null : Math.max(0, runsMax - number);
  const runs = byClock === null || byNumber === null ? (byClock ?? byNumber) : Math.min(byClock, byNumber);
  const lastMs = runs === null || runs === 0 ? null : startMs + (runs - 1) * everyMs;
  const runsPerDay = Math.min(runs ?? Number.POSITIVE_INFINITY, Math.ceil(dayMs / everyMs));
  return { runs, firstMs: runs === 0 ? null : startMs, lastMs, runsPerDay };
}

function timesOfCron(schedule: Schedule): Times {
  const days = new Map<number, number>();
  const first = firstRun(schedule);
  let runs = 0;
  let last = first;
  let next = first;
  while (next !== null && runs < estimateRunsMax) {
    const day = Math.floor(next.plannedMs / dayMs);
    days.set(day, (days.get(day) ?? 0) + 1);
    runs++;
    last = next;
    next = runAfter(schedule, next);
  }
  return {
    runs: next === null ? runs : null,
    firstMs: first?.plannedMs ?? null,
    lastMs: next === null ? (last?.plannedMs ?? null) : null,
    runsPerDay: Math.max(0, ...days.values()),
  };
}
