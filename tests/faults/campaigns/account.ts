/** Holds every planned run against what there is of it. */
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { everySec, type Hour } from "./hour.ts";

export interface Account {
  readonly kills: number;
  readonly outages: number;
  readonly outageSec: number;
  readonly planned: number;
  readonly once: number;
  /** Runs with more than one measurement, and measurements that no run has. */
  readonly twice: number;
  readonly stray: number;
  /** Runs that did not come, by reason. */
  readonly without: Readonly<Record<string, number>>;
  /** How many of those were planned while no gateway ran, or in the seconds for which a run may be late before it. */
  readonly withoutInOutage: number;
  /** Runs of which the journal has nothing. */
  readonly lost: number;
  /** Milliseconds after the plan at which measurements were made. */
  readonly latenessMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The same, of runs that were planned while a gateway ran, and 10 s after. */
  readonly calmLatenessMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly charged: number;
  /** Records in the broker's log, and those of them that agents pass over as published before. */
  readonly records: number;
  readonly repeated: number;
}

interface RunRow {
  readonly campaign_id: string;
  readonly run: number;
  readonly last_run: number;
  readonly state: string;
  readonly reason: string | null;
  readonly planned_ms: number;
  readonly measurements: number;
  readonly late_ms: number | null;
}

/** A gateway that has just started takes up what is due within this time. */
const calmMs = 10_000;

export async function accountOf({ database, broker, runs, kills, outages }: Hour): Promise<Account> {
  const { sql } = database;
  const rows = await sql<RunRow[]>`
    SELECT run.campaign_id, run.run, last_run, state, reason,
      (extract(epoch FROM planned_at) * 1000)::float8 AS planned_ms,
      (SELECT count(DISTINCT made.measurement_id) FROM measurements AS made
        WHERE idempotency_key LIKE concat('campaign ', run.campaign_id, ' ', run.run, ' %'))::integer AS measurements,
      (SELECT extract(epoch FROM min(started_at) - planned_at) * 1000 FROM campaign_steps AS step
        JOIN measurements USING (measurement_id)
        WHERE (step.campaign_id, step.run) = (run.campaign_id, run.run))::float8 AS late_ms
    FROM campaign_runs AS run ORDER BY run.campaign_id, run.run`;
  const [sums] = await sql<{ campaigns: number; stray: number; charged: number }[]>`
    SELECT (SELECT count(*) FROM campaigns)::integer AS campaigns,
      (SELECT count(*) FROM measurements WHERE NOT EXISTS (
        SELECT FROM campaign_steps AS step WHERE step.measurement_id = measurements.measurement_id))::integer AS stray,
      (SELECT sum(charged - credited) FROM quota_days)::integer AS charged`;
  const seen = new Set(rows.flatMap((row) => numbersOf(row).map((number) => `${row.campaign_id} ${number}`)));
  const planned = (sums?.campaigns ?? 0) * runs;
  const isQuiet = (ms: number, before: number) =>
    outages.every(({ fromMs, toMs }) => ms < fromMs - before || ms > toMs + calmMs);
  const done = rows.filter(({ state }) => state === "done");
  const notDone = rows.filter(({ state }) => state !== "done");
  const lateness = (some: readonly RunRow[]) => quantiles(some.flatMap(({ late_ms: ms }) => ms ?? []));
  return {
    kills,
    outages: outages.length,
    outageSec: outages.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / 1000, 0),
    planned,
    once: done.filter(({ measurements }) => measurements === 1).length,
    twice: rows.filter(({ measurements }) => measurements > 1).length,
    stray: sums?.stray ?? 0,
    without: Object.fromEntries(
      [...Map.groupBy(notDone, ({ state, reason }) => (state === "passed" ? (reason ?? "") : state))].map(
        ([reason, some]) => [reason, some.flatMap(numbersOf).length],
      ),
    ),
    withoutInOutage: notDone
      .flatMap((row) => numbersOf(row).map((number) => row.planned_ms + (number - row.run) * everySec * 1000))
      .filter((ms) => !isQuiet(ms, calmMs)).length,
    lost: planned - seen.size,
    latenessMs: lateness(done),
    calmLatenessMs: lateness(done.filter(({ planned_ms: ms }) => isQuiet(ms, 1000))),
    charged: sums?.charged ?? 0,
    ...(await recordsOf(broker)),
  };
}

function numbersOf({ run, last_run: last }: RunRow): number[] {
  return Array.from({ length: last - run + 1 }, (_, i) => run + i);
}

function quantiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** As an agent sees them: a record with the measurement and first probe of another is passed over. */
async function recordsOf(address: string): Promise<Pick<Account, "records" | "repeated">> {
  await using broker = await openBroker(address, {});
  const positions = await broker.positions("account", "measure-probes");
  const wanted = positions.reduce((sum, { committed, end }) => sum + Number(end - committed), 0);
  await using subscription = await broker.subscribe("account", ["measure-probes"]);
  const seen = new Set<string>();
  let records = 0;
  while (records < wanted) {
    for (const { headers } of await subscription.next({ recordsMax: 1000, waitMs: 5000 })) {
      const read = decodeTargetHeader(headers.west ?? "");
      seen.add(read.ok ? `${read.header.measurementId} ${read.header.firstProbe}` : String(records));
      records++;
    }
  }
  return { records, repeated: records - seen.size };
}
