/** Lists, reads and removes the gateway's experiments. */
import type { Sql } from "postgres";
import type { experimentAnswer } from "../../../../lib/base/api/experiments.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { silentSec } from "../limits.ts";

export type ExperimentRow = StoredAnswer<typeof experimentAnswer>;

/** Newest first, up to `limit` + 1. */
export function listExperiments(
  { sql, timed }: Database,
  {
    userHash,
    limit,
    after,
  }: { readonly userHash: string; readonly limit: number; readonly after?: string | undefined },
): Promise<readonly ExperimentRow[]> {
  return timed(
    "experiment_list",
    () => sql<ExperimentRow[]>`
      SELECT ${columns(sql)} FROM experiments
      WHERE user_hash = ${userHash} ${
        after === undefined
          ? sql``
          : sql`AND (begun_at, experiment_id) < (
              SELECT begun_at, experiment_id FROM experiments
              WHERE experiment_id = ${after} AND user_hash = ${userHash})`
      }
      ORDER BY begun_at DESC, experiment_id DESC LIMIT ${limit + 1}`,
  );
}

/** Throws Problem 404. */
export async function readExperiment({ sql, timed }: Database, { id, userHash }: Owned) {
  const [row] = await timed(
    "experiment_read",
    () => sql<ExperimentRow[]>`
      SELECT ${columns(sql)} FROM experiments WHERE experiment_id = ${id} AND user_hash = ${userHash}`,
  );
  if (row === undefined) {
    throw unknownExperiment();
  }
  return row;
}

/** Lines of an experiment found by `readExperiment`, in order. */
export async function readLines({ sql, timed }: Database, id: string): Promise<readonly string[]> {
  const rows = await timed(
    "experiment_lines",
    () => sql<{ line: string }[]>`
      SELECT line FROM experiment_entries WHERE experiment_id = ${id} ORDER BY place`,
  );
  return rows.map(({ line }) => line);
}

/** Throws Problem 404. */
export async function removeExperiment({ sql, timed }: Database, { id, userHash }: Owned): Promise<void> {
  const removed = await timed(
    "experiment_remove",
    () => sql`DELETE FROM experiments WHERE experiment_id = ${id} AND user_hash = ${userHash} RETURNING 1`,
  );
  if (removed.length === 0) {
    throw unknownExperiment();
  }
}

function columns(sql: Sql) {
  return sql`experiment_id::text AS id, name, prefix::text, begun_at, CASE
      WHEN ended_at IS NOT NULL THEN 'ended'
      WHEN heard_at < now() - ${silentSec} * interval '1 s' THEN 'silent'
      ELSE 'running' END AS state,
    heard_at, ended_at, reason, actions, entries, bytes`;
}

export function unknownExperiment(): Problem {
  return problem(404, "unknown_experiment", "You have no experiment with this id");
}
