/**
 * The journal of campaigns: their states, and what is to be done, written in one transaction. Several gateways share
 * it: each takes campaigns that no other has locked, and a run has one row, whoever writes it. The database's clock
 * counts.
 */
import type { Sql, TransactionSql } from "postgres";
import {
  advance,
  type CampaignAction,
  type CampaignEvent,
  type CampaignState,
} from "../../lib/campaign/advance.ts";
import type { Schedule } from "../../lib/campaign/schedule.ts";
import type { Database } from "../../lib/store/postgres/open.ts";
import { campaignsAtOnceMax, lookMsMax } from "./limits.ts";
import { planEvaluation } from "./notice/plan-evaluation.ts";

export interface JournalRow {
  readonly campaign_id: string;
  readonly revision: number;
  readonly schedule: Schedule;
  readonly agents: string;
  readonly phase: CampaignState["phase"];
  readonly next_run: number;
  readonly next_at: Date | null;
  readonly current_run: number | null;
  readonly queued_run: number | null;
  readonly queued_at: Date | null;
  readonly resumed_at: Date | null;
  readonly now_ms: number;
}

/** Columns of `campaign` and its `revised`. */
export function journalColumns(sql: Sql | TransactionSql) {
  return sql`
    campaign.campaign_id, campaign.revision, schedule, definition->>'agents' AS agents, phase, next_run, next_at,
    current_run, queued_run, queued_at, resumed_at, (extract(epoch FROM now()) * 1000)::float8 AS now_ms`;
}

export function stateOf(row: JournalRow): CampaignState {
  const { queued_run: number, queued_at: queuedAt } = row;
  return {
    phase: row.phase,
    nextNumber: row.next_run,
    nextMs: row.next_at?.getTime() ?? null,
    current: row.current_run,
    queued: number === null || queuedAt === null ? null : { number, plannedMs: queuedAt.getTime() },
    resumedMs: row.resumed_at?.getTime() ?? null,
  };
}

/** Takes up campaigns whose next run is due. */
export function takeDue({ sql, timed }: Database): Promise<void> {
  return timed("campaign_due", () =>
    sql.begin(async (tx) => {
      const rows = await tx<JournalRow[]>`
        SELECT ${journalColumns(tx)} FROM campaigns AS campaign
          JOIN campaign_revisions AS revised USING (campaign_id, revision)
        WHERE phase = 'active' AND next_at <= now()
        ORDER BY next_at LIMIT ${campaignsAtOnceMax} FOR UPDATE OF campaign SKIP LOCKED`;
      for (const row of rows) {
        await happen(tx, row, { kind: "time" });
      }
    }),
  );
}

interface EndedRun extends JournalRow {
  readonly run: number;
  readonly outcome: "done" | "refused" | "missed";
  readonly reason: string | null;
}

/** Ends runs of which nothing is under way any more; `settleMs` later all of their answers are in the store. */
export function endRuns({ sql, timed }: Database, settleMs: number): Promise<void> {
  return timed("campaign_runs_end", () =>
    sql.begin(async (tx) => {
      const rows = await tx<EndedRun[]>`
        SELECT ${journalColumns(tx)}, current_run AS run, outcome, reason FROM campaigns AS campaign
          JOIN campaign_revisions AS revised USING (campaign_id, revision),
        LATERAL (
          SELECT CASE WHEN bool_or(step.state = 'taken') THEN 'done'
              WHEN bool_or(step.state = 'refused') THEN 'refused' ELSE 'missed' END AS outcome,
            min(step.reason) AS reason,
            bool_or(step.state = 'due' OR step.measurement_id IS NOT NULL AND measurement.ended_at IS NULL) AS is_open
          FROM campaign_steps AS step LEFT JOIN measurements AS measurement USING (measurement_id)
          WHERE step.campaign_id = campaign.campaign_id AND step.run = campaign.current_run
        ) AS steps
        WHERE current_run IS NOT NULL AND NOT is_open
        ORDER BY campaign_id LIMIT ${campaignsAtOnceMax} FOR UPDATE OF campaign SKIP LOCKED`;
      for (const row of rows) {
        const { campaign_id, run, outcome, reason } = row;
        await tx`
          UPDATE campaign_runs SET state = ${outcome}, reason = ${reason}, ended_at = now()
          WHERE campaign_id = ${campaign_id} AND run = ${run} AND state = 'open'`;
        await planEvaluation(tx, { campaign_id, run }, settleMs);
        await happen(tx, row, { kind: "runEnded", number: run });
      }
    }),
  );
}

interface WorkAhead {
  /** Until a campaign or a step is due. */
  readonly dueMs: number;
  /** There are runs that may have ended, or are to be cancelled. */
  readonly isUnderWay: boolean;
}

/** What there is to do: the one question that a gateway without campaigns asks each second. */
export async function workAhead({ sql, timed }: Database): Promise<WorkAhead> {
  const [row] = await timed(
    "campaign_next",
    () => sql<{ wait_ms: number | null; is_under_way: boolean }[]>`
      SELECT (extract(epoch FROM least(
          (SELECT min(next_at) FROM campaigns WHERE phase = 'active' AND next_at IS NOT NULL),
          (SELECT min(greatest(due_at, claimed_until)) FROM campaign_steps WHERE state = 'due')
        ) - clock_timestamp()) * 1000)::float8 AS wait_ms,
        EXISTS (SELECT FROM campaign_runs WHERE state IN ('open', 'cancelling')) AS is_under_way`,
  );
  return { dueMs: Math.ceil(row?.wait_ms ?? lookMsMax), isUnderWay: row?.is_under_way ?? false };
}

/** An event of a locked campaign: writes the state that follows, and what is to be done. */
export async function happen(
  tx: TransactionSql,
  row: JournalRow,
  event: CampaignEvent,
): Promise<CampaignState> {
  const { state, actions } = advance(row.schedule, stateOf(row), event, row.now_ms);
  const ended = actions.find((action) => action.kind === "end");
  await tx`
    UPDATE campaigns SET phase = ${state.phase}, next_run = ${state.nextNumber}, next_at = ${dateOf(state.nextMs)},
      current_run = ${state.current}, queued_run = ${state.queued?.number ?? null},
      queued_at = ${dateOf(state.queued?.plannedMs ?? null)}, resumed_at = ${dateOf(state.resumedMs)},
      ended_reason = coalesce(${ended?.reason ?? null}, ended_reason),
      ended_at = CASE WHEN ${state.phase} = 'ended' THEN coalesce(ended_at, now()) END, updated_at = now()
    WHERE campaign_id = ${row.campaign_id}`;
  for (const action of actions) {
    await note(tx, row, action);
  }
  return state;
}

async function note(tx: TransactionSql, row: JournalRow, action: CampaignAction): Promise<void> {
  const { campaign_id: id, revision } = row;
  switch (action.kind) {
    case "run": {
      const { number, plannedMs } = action.run;
      const at = { planned: new Date(plannedMs), latest: new Date(action.latestMs) };
      await tx`
        INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state)
        VALUES (${id}, ${number}, ${number}, ${revision}, ${at.planned}, 'open')`;
      await tx`
        INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state)
        VALUES (${id}, ${number}, 0, ${at.planned}, ${at.latest}, ${row.agents}, 'due')`;
      return;
    }
    case "pass": {
      const { first, last, reason } = action;
      await tx`
        INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state, reason, ended_at)
        VALUES (${id}, ${first.number}, ${last.number}, ${revision}, ${new Date(first.plannedMs)}, 'passed', ${reason},
          now())`;
      return;
    }
    case "cancel":
      await tx`
        UPDATE campaign_steps SET state = 'dropped'
        WHERE campaign_id = ${id} AND run = ${action.number} AND state = 'due'`;
      await tx`
        UPDATE campaign_runs SET state = 'cancelling' WHERE campaign_id = ${id} AND run = ${action.number}`;
      return;
    case "end":
      return;
  }
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
