/**
 * Stores agents' progress reports. Their counts are absolute and may come late, twice or out of order, so the largest
 * are kept; a part that has ended keeps its status, and only counts probes that were sent after all.
 */
import type { TransactionSql } from "postgres";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type {
  Progress,
  ProgressAnswer,
  ProgressBatch,
} from "../../../../lib/measuring/probing/agent-report.ts";
import { endParts, endWholes } from "../measurements/end-parts.ts";
import { lockForRefund, refundUnsent } from "../measurements/refunds.ts";
import { largestProgress } from "./largest-progress.ts";
import { type PartRow, SteadyProgress } from "./steady-progress.ts";

interface LockedRow extends PartRow {
  /** It has ended early, and the refund may have changed. */
  readonly needs_credit: boolean;
}

/** Accepts reports; most only update the counts of a running part (steady-progress.ts). */
export class ProgressReports {
  readonly #database: Database;
  readonly #steady: SteadyProgress;

  constructor(database: Database) {
    this.#database = database;
    this.#steady = new SteadyProgress(database);
  }

  /** Results in the order of the reports. Several for one measurement count as one. */
  async take(agentId: string, reports: ProgressBatch): Promise<ProgressAnswer[]> {
    const merged = merge(reports);
    const parts = new Map<string, PartRow>();
    for (const row of await this.#steady.keep(agentId, merged)) {
      parts.set(row.measurement_id, row);
    }
    const others = new Map([...merged].filter(([id]) => !parts.has(id)));
    if (others.size > 0) {
      for (const [id, row] of await takeInOrder(this.#database, agentId, others)) {
        parts.set(id, row);
      }
    }
    return reports.map(({ measurement_id: id }) => answerOf(agentId, id, parts.get(id.toLowerCase())));
  }
}

/** Reports that start or end parts, or that arrived while another statement had locked their part. */
async function takeInOrder(
  database: Database,
  agentId: string,
  merged: ReadonlyMap<string, Progress>,
): Promise<ReadonlyMap<string, PartRow>> {
  const rows = await database.timed("agent_progress", () =>
    database.sql.begin((tx) => keepCounts(tx, agentId, merged)),
  );
  const parts = new Map<string, PartRow>(rows.map((row) => [row.measurement_id, row]));
  for (const [id, { error, is_complete }] of merged) {
    const part = parts.get(id);
    if (error !== null && !is_complete && part?.status === "running") {
      await fail(database, agentId, id, error);
      parts.set(id, { ...part, status: "failed" });
    }
  }
  await credit(
    database,
    rows.filter((row) => row.needs_credit).map(({ measurement_id }) => measurement_id),
  );
  return parts;
}

function answerOf(agent_id: string, measurement_id: string, part: PartRow | undefined): ProgressAnswer {
  return {
    measurement_id,
    agent_id,
    sent_probes: part?.sent_probes ?? 0,
    is_complete: part?.status === "complete",
    status: part?.status ?? "unknown",
    updated_at: part?.updated_at.toISOString() ?? null,
  };
}

function merge(reports: ProgressBatch): ReadonlyMap<string, Progress> {
  const merged = new Map<string, Progress>();
  for (const { measurement_id, ...report } of reports) {
    const id = measurement_id.toLowerCase();
    merged.set(id, largestProgress(merged.get(id) ?? report, report));
  }
  return merged;
}

/**
 * Locks the measurements like endParts: else two agents that finish at once would not end the whole. An agent locks
 * none that it has no part in: it may know their ids from records of others.
 */
async function keepCounts(
  tx: TransactionSql,
  agentId: string,
  reports: ReadonlyMap<string, Progress>,
): Promise<LockedRow[]> {
  const ids = [...reports.keys()];
  await tx`
    SELECT FROM measurements
    WHERE measurement_id IN (
      SELECT measurement_id FROM measurement_agents
      WHERE measurement_id = ANY(${ids}::uuid[]) AND agent_id = ${agentId})
    ORDER BY measurement_id FOR UPDATE`;
  const rows = [...reports].map(([measurement_id, report]) => ({ measurement_id, ...report }));
  const parts = await tx<LockedRow[]>`
    UPDATE measurement_agents AS part SET
      sent_probes = greatest(part.sent_probes, report.sent_probes),
      received_replies = greatest(part.received_replies, report.received_replies),
      failed_probes = greatest(part.failed_probes, report.failed_probes),
      held_probes = greatest(part.held_probes, report.held_probes),
      error = coalesce(part.error, report.error),
      status = CASE
        WHEN part.status NOT IN ('queued', 'running') THEN part.status
        WHEN report.is_complete THEN 'complete'
        ELSE 'running' END,
      settled_at = CASE
        WHEN part.status IN ('cancelled', 'failed') AND (report.is_stopped OR report.is_complete)
          THEN coalesce(part.settled_at, now())
        ELSE part.settled_at END,
      updated_at = now()
    FROM jsonb_to_recordset(${tx.json(rows)}) AS report(
      measurement_id uuid, sent_probes bigint, received_replies bigint, failed_probes bigint, is_complete boolean,
      error text, held_probes bigint, is_stopped boolean)
    WHERE part.measurement_id = report.measurement_id AND part.agent_id = ${agentId}
    RETURNING part.measurement_id::text, part.status, part.sent_probes, part.updated_at,
      part.status IN ('cancelled', 'failed', 'expired') AND CASE
        WHEN part.settled_at IS NULL THEN part.credited_probes > greatest(0, part.expected_probes - part.sent_probes)
        ELSE part.credited_probes <> greatest(0, part.expected_probes - part.sent_probes) END AS needs_credit`;
  await tx`UPDATE agents SET last_seen_at = now() WHERE agent_id = ${agentId}`;
  await endWholes(
    tx,
    parts.map((part) => part.measurement_id),
  );
  return parts;
}

/** In a transaction of its own, because it locks users' days behind all measurements. */
async function credit({ sql, timed }: Database, measurementIds: readonly string[]): Promise<void> {
  if (measurementIds.length > 0) {
    await timed("agent_credit", () =>
      sql.begin(async (tx) => {
        await lockForRefund(tx, measurementIds);
        await refundUnsent(tx, measurementIds);
      }),
    );
  }
}

/** The agent cannot continue: it will not send the rest. */
async function fail(database: Database, agentId: string, id: string, error: string): Promise<void> {
  const ending = { measurementIds: [id], agentId, status: "failed", error, isSettled: true } as const;
  await database.timed("agent_failure", () => database.sql.begin((tx) => endParts(tx, ending)));
}
