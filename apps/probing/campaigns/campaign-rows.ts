/** Campaigns as database rows, and their events, each applied in the transaction of the change. */
import type { Sql, TransactionSql } from "postgres";
import {
  advance,
  type CampaignAction,
  type CampaignEvent,
  type CampaignState,
} from "../../../lib/measuring/campaign/advance.ts";
import { stepAt } from "../../../lib/measuring/campaign/run-steps.ts";
import type { Schedule } from "../../../lib/measuring/campaign/schedule.ts";
import { roundRule } from "./discovery/rounds.ts";

export interface CampaignRow {
  readonly campaign_id: string;
  readonly revision: number;
  readonly schedule: Schedule;
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
export function rowColumns(sql: Sql | TransactionSql) {
  return sql`
    campaign.campaign_id, campaign.revision, schedule, phase, next_run, next_at, current_run, queued_run, queued_at,
    resumed_at, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;
}

/** Whether `revised` is a discovery: a pause holds its run, as its rounds can wait. */
export function isDiscovery(sql: Sql | TransactionSql) {
  return sql`(revised.steps @> ${`[{"rule":"${roundRule}"}]`}::text::jsonb)`;
}

export function stateOf(row: CampaignRow): CampaignState {
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

interface Happening {
  readonly row: CampaignRow;
  readonly event: CampaignEvent;
}

type Noted<Kind extends CampaignAction["kind"]> = Extract<CampaignAction, { readonly kind: Kind }> & {
  readonly row: CampaignRow;
};

/** One event for each locked campaign: writes the resulting states and work. */
export async function happen(tx: TransactionSql, happenings: readonly Happening[]): Promise<void> {
  const changed = happenings.map(({ row, event }) => ({
    row,
    ...advance(row.schedule, stateOf(row), event, row.now_ms),
  }));
  const noted = <Kind extends CampaignAction["kind"]>(kind: Kind) =>
    changed.flatMap(({ row, actions }) =>
      actions.flatMap((action) => (action.kind === kind ? [{ ...action, row } as Noted<Kind>] : [])),
    );
  if (changed.length > 0) {
    await writeStates(tx, changed);
  }
  await writeRuns(tx, [...noted("run").map(begunRow), ...noted("pass").map(passedRow)]);
  await writeFirstSteps(tx, noted("run"));
  for (const { row, number } of noted("cancel")) {
    await cancelRun(tx, row.campaign_id, number);
  }
}

interface Changed {
  readonly row: CampaignRow;
  readonly state: CampaignState;
  readonly actions: readonly CampaignAction[];
}

async function writeStates(tx: TransactionSql, changed: readonly Changed[]): Promise<void> {
  const rows = changed.map(({ row, state, actions }) => ({
    id: row.campaign_id,
    phase: state.phase,
    next_run: state.nextNumber,
    next_at: timeOf(state.nextMs),
    current_run: state.current,
    queued_run: state.queued?.number ?? null,
    queued_at: timeOf(state.queued?.plannedMs ?? null),
    resumed_at: timeOf(state.resumedMs),
    ended_reason: actions.flatMap((one) => (one.kind === "end" ? [one.reason] : []))[0] ?? null,
  }));
  await tx`
    UPDATE campaigns AS campaign SET phase = now.phase, next_run = now.next_run, next_at = now.next_at,
      current_run = now.current_run, queued_run = now.queued_run, queued_at = now.queued_at,
      resumed_at = now.resumed_at, ended_reason = coalesce(now.ended_reason, campaign.ended_reason),
      ended_at = CASE WHEN now.phase = 'ended' THEN coalesce(ended_at, now()) END, updated_at = now()
    FROM jsonb_to_recordset(${tx.json(rows)}) AS now (id uuid, phase text, next_run integer, next_at timestamptz,
      current_run integer, queued_run integer, queued_at timestamptz, resumed_at timestamptz, ended_reason text)
    WHERE campaign_id = now.id`;
}

function begunRow({ row, run: { number, plannedMs } }: Noted<"run">) {
  return { ...runPlace(row, number), last_run: number, planned_at: timeOf(plannedMs), ...runStates.open };
}

function passedRow({ row, first, last, reason }: Noted<"pass">) {
  const planned = { last_run: last.number, planned_at: timeOf(first.plannedMs) };
  return { ...runPlace(row, first.number), ...planned, ...runStates.passed, reason };
}

function runPlace({ campaign_id, revision }: CampaignRow, run: number) {
  return { campaign_id, revision, run };
}

const runStates = {
  open: { state: "open", reason: null, is_over: false },
  passed: { state: "passed", is_over: true },
};

async function writeRuns(
  tx: TransactionSql,
  rows: readonly ReturnType<typeof begunRow | typeof passedRow>[],
): Promise<void> {
  if (rows.length > 0) {
    await tx`
      INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state, reason, ended_at)
      SELECT campaign_id, run, last_run, revision, planned_at, state, reason, CASE WHEN is_over THEN now() END
      FROM jsonb_to_recordset(${tx.json(rows)}) AS now (campaign_id uuid, run integer, last_run integer,
        revision integer, planned_at timestamptz, state text, reason text, is_over boolean)`;
  }
}

/** The first of its steps is due; the others come one after another. */
async function writeFirstSteps(tx: TransactionSql, begun: readonly Noted<"run">[]): Promise<void> {
  const rows = begun.map(({ row, run, latestMs }) => ({
    ...runPlace(row, run.number),
    planned_at: timeOf(run.plannedMs),
    latest_at: timeOf(latestMs),
  }));
  if (rows.length > 0) {
    await tx`
      INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state, kind, probes, word, given)
      SELECT campaign_id, run, ${stepAt(1)} * (place - 1), planned_at, latest_at,
        coalesce(work->>'agents', definition->>'agents'), CASE place WHEN 1 THEN 'due' ELSE 'later' END,
        work->>'kind', work->>'probes', coalesce(work->>'until', work->>'rule'), work->'given'
      FROM jsonb_to_recordset(${tx.json(rows)}) AS begun (campaign_id uuid, run integer, revision integer,
          planned_at timestamptz, latest_at timestamptz)
        JOIN campaign_revisions USING (campaign_id, revision),
        jsonb_array_elements(steps) WITH ORDINALITY AS step (work, place)`;
  }
}

async function cancelRun(tx: TransactionSql, id: string, run: number): Promise<void> {
  // An experiment withdraws its prefix before it ends.
  await tx`
    UPDATE campaign_steps SET state = 'dropped'
    WHERE campaign_id = ${id} AND run = ${run} AND state IN ('due', 'later') AND kind <> 'experiment'`;
  await tx`UPDATE campaign_runs SET state = 'cancelling' WHERE campaign_id = ${id} AND run = ${run}`;
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
