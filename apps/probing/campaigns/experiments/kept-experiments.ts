/** Lists, reads and removes the gateway's experiments. */
import type { Sql } from "postgres";
import type { experimentAnswer } from "../../../../lib/base/api/experiments.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { changeCampaign } from "../campaigns.ts";
import { silentSec } from "../limits.ts";

export type ExperimentRow = StoredAnswer<typeof experimentAnswer>;

/** Newest first. */
export function listExperiments(
  database: Database,
  userHash: string,
  page: PageOrder,
): Promise<ListPage<ExperimentRow>> {
  const { sql } = database;
  return readPage(
    database,
    "experiment_list",
    page,
    (limit, after) => sql<ExperimentRow[]>`
      SELECT ${columns(sql)} FROM experiments
      WHERE user_hash = ${userHash} ${
        after === undefined
          ? sql``
          : sql`AND (begun_at, experiment_id) < (
              SELECT begun_at, experiment_id FROM experiments
              WHERE experiment_id = ${after} AND user_hash = ${userHash})`
      }
      ORDER BY begun_at DESC, experiment_id DESC LIMIT ${limit}`,
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

/** Throws Problem: 404, 409 for one that has not ended, or ran elsewhere. */
export async function changeExperiment(
  database: Database,
  { id, userHash }: Owned,
  kind: "pause" | "resume" | "stop",
): Promise<void> {
  const [row] = await database.sql`
    SELECT FROM experiments WHERE experiment_id = ${id} AND user_hash = ${userHash} AND campaign_id IS NOT NULL`;
  if (row === undefined) {
    await readExperiment(database, Owned.of(userHash, { kind: "experiment", id }));
    throw problem(
      409,
      "experiment_ended",
      "It ran elsewhere, and was imported: this gateway does not run it",
    );
  }
  await changeCampaign(database, Owned.of(userHash, { kind: "campaign", id }), { kind });
}

/** Throws Problem: 404, 409 for one that a gateway runs. */
export async function removeExperiment(database: Database, own: Owned): Promise<void> {
  const { id, userHash } = own;
  const { sql, timed } = database;
  await readExperiment(database, own);
  const removed = await timed("experiment_remove", () =>
    sql.begin(async (tx) => {
      const gone = await tx`
        DELETE FROM experiments WHERE experiment_id = ${id} AND user_hash = ${userHash}
          AND (campaign_id IS NULL OR ended_at IS NOT NULL) RETURNING 1`;
      await tx`DELETE FROM campaigns WHERE campaign_id = ${id} AND user_hash = ${userHash} AND ${gone.length} > 0`;
      return gone;
    }),
  );
  if (removed.length === 0) {
    throw problem(409, "experiment_not_ended", "Stop the experiment first, and wait until it has ended");
  }
}

function columns(sql: Sql) {
  return sql`experiment_id::text AS id, name, prefix::text, begun_at, CASE
      WHEN ended_at IS NOT NULL THEN 'ended'
      WHEN (SELECT phase FROM campaigns WHERE campaigns.campaign_id = experiments.campaign_id) = 'paused' THEN 'paused'
      WHEN heard_at < now() - ${silentSec} * interval '1 s' THEN 'silent'
      ELSE 'running' END AS state,
    heard_at, ended_at, reason, actions, entries, bytes,
    CASE WHEN grant_jwe IS NOT NULL THEN grant_id::text END AS grant_id`;
}

function unknownExperiment(): Problem {
  return problem(404, "unknown_experiment", "You have no experiment with this id");
}
