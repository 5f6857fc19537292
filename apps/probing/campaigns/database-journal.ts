/**
 * The journal in the gateway's database. Several gateways share it: each takes campaigns and steps that no other has
 * locked, and a run has only one row. All times are by the database's clock.
 */
import type { TransactionSql } from "postgres";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { laterSlipSec } from "../../../lib/measuring/campaign/limits.ts";
import { progressOf, type StandingStep } from "../../../lib/measuring/campaign/run-steps.ts";
import { type CampaignRow, happen, isDiscovery, rowColumns } from "./campaign-rows.ts";
import type { CancellingRun, Journal, Step, StepPlace, WorkAhead } from "./journal.ts";
import { insteadOf, laterRow, slotRow } from "./later-steps.ts";
import { campaignsAtOnceMax, claimSec, lookMsMax, reasonCharsMax, stepsAtOnceMax } from "./limits.ts";
import { planEvaluations } from "./notice/plan-evaluation.ts";
import { shapeFieldNames } from "./shape-fields.ts";

interface JournalLimits {
  /** Delay until all replies to a run are in the store, and it can be evaluated for alerts. */
  readonly settleMs: number;
  /** Limit of a user's storage, over all kinds. */
  readonly storedBytesMax: number;
}

export function databaseJournal(
  database: Database,
  { settleMs, storedBytesMax: bytesMax }: JournalLimits,
): Journal {
  return {
    ahead: () => ahead(database),
    takeDue: () => takeDue(database),
    settle: () => settle(database, settleMs),
    claim: (room, kind) => claim(database, room, kind),
    taken: (place, measurementId) => taken(database, place, measurementId),
    done: (at, next, reason) =>
      insteadOf(database, at, { state: "done", rows: next.map(laterRow), reason, bytesMax }),
    spread: (place, slots, reason) =>
      insteadOf(database, place, { state: "spread", rows: slots.map(slotRow), reason, bytesMax }),
    over: (place, state, reason) => over(database, place, { state, reason }),
    again: (place, seconds) => again(database, place, seconds),
    cancelling: () => cancelling(database),
    cancelled: (run) => cancelled(database, run),
  };
}

/** What is due: the only query that a gateway without campaigns runs each second. */
async function ahead({ sql, timed }: Database): Promise<WorkAhead> {
  const [row] = await timed(
    "campaign_next",
    () => sql<{ wait_ms: number | null; is_under_way: boolean }[]>`
      SELECT (extract(epoch FROM least(
          (SELECT min(next_at) FROM campaigns WHERE phase = 'active' AND next_at IS NOT NULL),
          (SELECT min(greatest(due_at, claimed_until)) FROM campaign_steps WHERE state = 'due'),
          (SELECT min(happened_at) FROM campaign_events JOIN campaigns USING (campaign_id)
            WHERE taken_at IS NULL AND phase = 'active' AND current_run IS NULL)
        ) - clock_timestamp()) * 1000)::float8 AS wait_ms,
        EXISTS (SELECT FROM campaign_runs WHERE state IN ('open', 'cancelling')) AS is_under_way`,
  );
  return { dueMs: Math.ceil(row?.wait_ms ?? lookMsMax), isUnderWay: row?.is_under_way ?? false };
}

function takeDue({ sql, timed }: Database): Promise<void> {
  return timed("campaign_due", () =>
    sql.begin(async (tx) => {
      const rows = await tx<CampaignRow[]>`
        SELECT ${rowColumns(tx)} FROM campaigns AS campaign
          JOIN campaign_revisions AS revised USING (campaign_id, revision)
        WHERE phase = 'active' AND next_at <= now()
        ORDER BY next_at LIMIT ${campaignsAtOnceMax} FOR UPDATE OF campaign SKIP LOCKED`;
      await happen(
        tx,
        rows.map((row) => ({ row, event: { kind: "time" } })),
      );
      await takeEvents(tx);
    }),
  );
}

/** The oldest event of each campaign that has no run now. */
async function takeEvents(tx: TransactionSql): Promise<void> {
  const rows = await tx<(CampaignRow & { readonly event_key: string })[]>`
    SELECT ${rowColumns(tx)}, event.event_key
    FROM campaigns AS campaign JOIN campaign_revisions AS revised USING (campaign_id, revision)
      JOIN LATERAL (SELECT event_key FROM campaign_events AS waiting
        WHERE waiting.campaign_id = campaign.campaign_id AND taken_at IS NULL
        ORDER BY happened_at, event_key LIMIT 1) AS event ON true
    WHERE phase = 'active' AND current_run IS NULL
    ORDER BY campaign.campaign_id LIMIT ${campaignsAtOnceMax} FOR UPDATE OF campaign SKIP LOCKED`;
  for (const { campaign_id, event_key } of rows) {
    await tx`
      UPDATE campaign_events SET taken_at = now() WHERE campaign_id = ${campaign_id} AND event_key = ${event_key}`;
  }
  await happen(
    tx,
    rows.map((row) => ({ row, event: { kind: "happened" } })),
  );
}

interface StandingRun extends CampaignRow {
  readonly run: number;
  readonly steps: readonly StandingStep[];
}

function settle({ sql, timed }: Database, settleMs: number): Promise<void> {
  return timed("campaign_settle", () =>
    sql.begin(async (tx) => {
      const rows = await tx<StandingRun[]>`
        SELECT ${rowColumns(tx)}, open.run, (
            SELECT jsonb_agg(jsonb_build_object('step', step, 'state', state, 'isUnderWay', false, 'reason', reason))
            FROM campaign_steps AS step WHERE (step.campaign_id, step.run) = (open.campaign_id, open.run)
          ) AS steps
        FROM campaign_runs AS open JOIN campaigns AS campaign
            ON (campaign.campaign_id, current_run) = (open.campaign_id, open.run)
          JOIN campaign_revisions AS revised
            ON (revised.campaign_id, revised.revision) = (campaign.campaign_id, campaign.revision)
        WHERE open.state = 'open' AND NOT (phase = 'paused' AND ${isDiscovery(tx)}) AND NOT EXISTS (
          SELECT FROM campaign_steps AS step LEFT JOIN measurements AS measurement USING (measurement_id)
          WHERE (step.campaign_id, step.run) = (open.campaign_id, open.run)
            AND (step.state = 'due' OR step.measurement_id IS NOT NULL AND measurement.ended_at IS NULL))
        ORDER BY open.campaign_id LIMIT ${campaignsAtOnceMax} FOR UPDATE OF campaign SKIP LOCKED`;
      await goOn(tx, rows, settleMs);
    }),
  );
}

async function goOn(tx: TransactionSql, rows: readonly StandingRun[], settleMs: number): Promise<void> {
  const progresses = rows.map((row) => ({ row, progress: progressOf(row.steps) }));
  const nexts = progresses.flatMap(({ row: { campaign_id, run }, progress }) =>
    progress.kind === "next" ? progress.steps.map((step) => ({ campaign_id, run, step })) : [],
  );
  const ends = progresses.flatMap(({ row, progress }) =>
    progress.kind === "over" ? [{ row, outcome: progress.outcome, reason: progress.reason }] : [],
  );
  if (nexts.length > 0) {
    await tx`
      UPDATE campaign_steps AS step
      SET state = 'due', due_at = now(), latest_at = now() + ${laterSlipSec} * interval '1 s'
      FROM jsonb_to_recordset(${tx.json(nexts)}) AS next (campaign_id uuid, run integer, step integer)
      WHERE (step.campaign_id, step.run, step.step) = (next.campaign_id, next.run, next.step) AND state = 'later'`;
  }
  if (ends.length > 0) {
    const ended = ends.map(({ row: { campaign_id, run }, outcome, reason }) => ({
      campaign_id,
      run,
      outcome,
      reason,
    }));
    await tx`
      WITH ended AS (
        SELECT * FROM jsonb_to_recordset(${tx.json(ended)})
          AS ended (campaign_id uuid, run integer, outcome text, reason text)
      ), dropped AS (
        UPDATE campaign_steps AS step SET state = 'dropped'
        FROM ended WHERE (step.campaign_id, step.run) = (ended.campaign_id, ended.run) AND state = 'later'
      )
      UPDATE campaign_runs AS open SET state = outcome, reason = ended.reason, ended_at = now()
      FROM ended WHERE (open.campaign_id, open.run) = (ended.campaign_id, ended.run) AND state = 'open'`;
    await planEvaluations(tx, ended, settleMs);
    await happen(
      tx,
      ends.map(({ row }) => ({ row, event: { kind: "runEnded", number: row.run } })),
    );
  }
}

function claim({ sql, timed }: Database, room: number, kind: "experiments" | "others"): Promise<Step[]> {
  return timed(
    "campaign_claim",
    () => sql<Step[]>`
      WITH due AS (
        SELECT campaign_id, run, step FROM campaign_steps
        WHERE state = 'due' AND due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
          AND (kind = 'experiment') = ${kind === "experiments"}
        ORDER BY due_at LIMIT ${room} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE campaign_steps AS step SET claimed_until = now() + ${claimSec} * interval '1 s'
        FROM due WHERE (step.campaign_id, step.run, step.step) = (due.campaign_id, due.run, due.step)
        RETURNING step.*
      )
      SELECT claimed.campaign_id, claimed.run, claimed.step, kind, user_hash, claimed.agents,
        run.revision, coalesce(claimed.probes, revised.probes) AS probes, word, given,
        coalesce((definition->>'spread')::integer, 0) AS spread_sec, now() > latest_at AS is_late,
        CASE WHEN claimed.probes IS NULL AND word IS NULL THEN (
          SELECT jsonb_object_agg(key, value) FROM jsonb_each(definition)
          WHERE key = ANY(${[...shapeFieldNames]}::text[])
        ) END AS shape,
        CASE kind WHEN 'measure' THEN (
          SELECT made.measurement_id FROM measurements AS made WHERE made.user_hash = campaign.user_hash
            AND idempotency_key = concat_ws(' ', 'campaign', claimed.campaign_id, claimed.run, claimed.step)
        ) END AS measurement_id,
        CASE WHEN word IS NULL THEN '{}' ELSE ARRAY(
          SELECT before.measurement_id::text FROM campaign_steps AS before
          WHERE (before.campaign_id, before.run) = (claimed.campaign_id, claimed.run) AND measurement_id IS NOT NULL
          ORDER BY step
        ) END AS before
      FROM claimed JOIN campaigns AS campaign USING (campaign_id)
        JOIN campaign_runs AS run ON (run.campaign_id, run.run) = (claimed.campaign_id, claimed.run)
        JOIN campaign_revisions AS revised
          ON (revised.campaign_id, revised.revision) = (run.campaign_id, run.revision)`,
  );
}

/** Locks the run's row, so that either a concurrent stop sees the measurement, or this sees the stop. */
async function taken(
  { sql, timed }: Database,
  { campaign_id, run, step }: StepPlace,
  measurementId: string,
): Promise<void> {
  await timed(
    "campaign_taken",
    () => sql`
      WITH of_run AS (
        UPDATE campaign_runs SET state = CASE state WHEN 'cancelled' THEN 'cancelling' ELSE state END
        WHERE campaign_id = ${campaign_id} AND run = ${run} RETURNING run
      )
      UPDATE campaign_steps AS step SET state = 'taken', measurement_id = ${measurementId}, taken_at = now()
      FROM of_run
      WHERE campaign_id = ${campaign_id} AND step.run = of_run.run AND step = ${step}
        AND state IN ('due', 'later', 'dropped')`,
  );
}

async function over(
  { sql, timed }: Database,
  { campaign_id, run, step }: StepPlace,
  { state, reason }: { readonly state: "missed" | "refused"; readonly reason: string },
): Promise<void> {
  await timed(
    "campaign_over",
    () => sql`
      UPDATE campaign_steps SET state = ${state}, reason = ${reason.slice(0, reasonCharsMax)}
      WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step} AND state = 'due'`,
  );
}

async function again(
  { sql, timed }: Database,
  { campaign_id, run, step }: StepPlace,
  seconds: number,
): Promise<void> {
  await timed(
    "campaign_again",
    () => sql`
      UPDATE campaign_steps SET claimed_until = now() + ${seconds} * interval '1 s'
      WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step}`,
  );
}

function cancelling({ sql, timed }: Database): Promise<CancellingRun[]> {
  return timed(
    "campaign_cancelling",
    () => sql<CancellingRun[]>`
      SELECT run.campaign_id, run.run, user_hash, ARRAY(
        SELECT measurement_id::text FROM campaign_steps AS step
        WHERE (step.campaign_id, step.run) = (run.campaign_id, run.run) AND measurement_id IS NOT NULL
      ) AS measurement_ids
      FROM campaign_runs AS run JOIN campaigns USING (campaign_id) WHERE run.state = 'cancelling'
      LIMIT ${stepsAtOnceMax}`,
  );
}

/** Locks the run's row before the steps are counted: see `taken`. */
async function cancelled(
  { sql, timed }: Database,
  { campaign_id, run, measurement_ids }: CancellingRun,
): Promise<void> {
  await timed("campaign_cancelled", () =>
    sql.begin(async (tx) => {
      await tx`SELECT FROM campaign_runs WHERE campaign_id = ${campaign_id} AND run = ${run} FOR UPDATE`;
      await tx`
        UPDATE campaign_runs SET state = 'cancelled', ended_at = now()
        WHERE campaign_id = ${campaign_id} AND run = ${run} AND state = 'cancelling'
          AND ${measurement_ids.length} = (SELECT count(measurement_id) FROM campaign_steps
            WHERE campaign_id = ${campaign_id} AND run = ${run})
          AND NOT EXISTS (SELECT FROM campaign_steps
            WHERE campaign_id = ${campaign_id} AND run = ${run} AND kind = 'experiment' AND state = 'due')`;
    }),
  );
}
