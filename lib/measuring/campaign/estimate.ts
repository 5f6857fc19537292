/** The cost of a campaign, before it starts. */
import { estimateRunsMax, estimateYearsMax } from "./limits.ts";
import { firstRun, runAfter, type Schedule } from "./schedule.ts";

interface Estimate {
  readonly probesPerRun: number;
  /** Runs on its busiest UTC day. */
  readonly runsPerDay: number;
  readonly probesPerDay: number;
  /** Share of the day's quota; above 1 the campaign exceeds it. Null = no quota. */
  readonly quotaShare: number | null;
  /** All of them; null = endless, or a cron pattern with more runs than an estimate covers. */
  readonly runs: number | null;
  readonly probes: number | null;
  readonly firstMs: number | null;
  /** When the last run starts; null as for `runs`. */
  readonly lastMs: number | null;
  /** The first run that exceeds its UTC day's quota; null = all fit, as far as the estimate reaches. */
  readonly quotaEndsMs: number | null;
}

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/** `probesPerRun` = probes x agents. */
export function estimate(
  schedule: Schedule,
  probesPerRun: number,
  quotaProbesPerDay: number | null,
): Estimate {
  const planned = plannedOf(schedule);
  const { runs, firstMs, lastMs, runsPerDay } = timesOf(schedule, planned);
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
    quotaEndsMs: quotaProbesPerDay === null ? null : quotaEnd(planned.times, probesPerRun, quotaProbesPerDay),
  };
}

interface Planned {
  readonly times: readonly number[];
  /** No more runs. */
  readonly isAll: boolean;
}

/** The first `estimateRunsMax` runs, or those of two days if these are more: the first day may be partial. */
function plannedOf(schedule: Schedule): Planned {
  const times: number[] = [];
  let next = firstRun(schedule);
  const startMs = next?.plannedMs ?? 0;
  const isLookedAt = (atMs: number) =>
    atMs < startMs + 2 * dayMs ||
    (times.length < estimateRunsMax && atMs < startMs + estimateYearsMax * yearMs);
  while (next !== null && isLookedAt(next.plannedMs)) {
    times.push(next.plannedMs);
    next = runAfter(schedule, next);
  }
  return { times, isAll: next === null };
}

function quotaEnd(
  planned: readonly number[],
  probesPerRun: number,
  quotaProbesPerDay: number,
): number | null {
  let today = Number.NaN;
  let probes = 0;
  for (const plannedMs of planned) {
    const day = Math.floor(plannedMs / dayMs);
    probes = day === today ? probes + probesPerRun : probesPerRun;
    today = day;
    if (probes > quotaProbesPerDay) {
      return plannedMs;
    }
  }
  return null;
}

type Times = Pick<Estimate, "runs" | "firstMs" | "lastMs" | "runsPerDay">;

function timesOf(schedule: Schedule, planned: Planned): Times {
  if (schedule.timing.kind === "on") {
    const { runsMax: runs, stopMs, timing } = schedule;
    const runsPerDay = Math.min(runs ?? Number.POSITIVE_INFINITY, 24 * timing.perHourMax);
    return { runs, firstMs: null, lastMs: stopMs, runsPerDay };
  }
  return schedule.timing.kind === "every"
    ? timesOfEvery(schedule, schedule.timing.everySec * 1000)
    : timesOfCron(planned);
}

function timesOfEvery({ startMs, firstRun: number, stopMs, runsMax }: Schedule, everyMs: number): Times {
  const byClock = stopMs === null ? null : Math.max(0, Math.ceil((stopMs - startMs) / everyMs));
  const byNumber = runsMax === null ? null : Math.max(0, runsMax - number);
  const runs = byClock === null || byNumber === null ? (byClock ?? byNumber) : Math.min(byClock, byNumber);
  const lastMs = runs === null || runs === 0 ? null : startMs + (runs - 1) * everyMs;
  const runsPerDay = Math.min(runs ?? Number.POSITIVE_INFINITY, Math.ceil(dayMs / everyMs));
  return { runs, firstMs: runs === 0 ? null : startMs, lastMs, runsPerDay };
}

function timesOfCron({ times, isAll }: Planned): Times {
  const perDay = Map.groupBy(times, (plannedMs) => Math.floor(plannedMs / dayMs));
  return {
    runs: isAll ? times.length : null,
    firstMs: times[0] ?? null,
    lastMs: isAll ? (times.at(-1) ?? null) : null,
    runsPerDay: Math.max(0, ...[...perDay.values()].map(({ length }) => length)),
  };
}
