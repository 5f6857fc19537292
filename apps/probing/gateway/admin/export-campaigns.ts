/** A user's campaigns and experiments at this gateway, for the export. */
import type { Sql } from "postgres";
import { exportRowsMax } from "../limits.ts";

/** Members of a JSON object, in pieces, each after a comma. Without the keys of deliveries, which are secrets. */
export async function* campaignPieces(sql: Sql, hash: string): AsyncGenerator<string, void, undefined> {
  const campaigns = await sql`
    SELECT campaign_id, name, revision, phase, next_run, next_at, ended_reason, stopped_because, created_at, ended_at,
      (SELECT jsonb_agg(jsonb_build_object('revision', revision, 'definition', definition, 'probes', probes,
          'targets_gzip_base64', encode(targets, 'base64'), 'created_at', created_at) ORDER BY revision)
        FROM campaign_revisions AS revised WHERE revised.campaign_id = campaign.campaign_id) AS revisions
    FROM campaigns AS campaign WHERE user_hash = ${hash} ORDER BY created_at`;
  yield `,"campaigns":${JSON.stringify(campaigns)}`;
  const alerts = await sql`
    SELECT alerts.*, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'place', place, 'state', state, 'body', body)), '[]')
      FROM alert_deliveries AS sent WHERE sent.campaign_id = alerts.campaign_id AND run = raised_run) AS deliveries
    FROM alerts JOIN campaigns USING (campaign_id) WHERE user_hash = ${hash} ORDER BY raised_at`;
  yield `,"alerts":${JSON.stringify(alerts)},"campaign_runs":[`;
  let isFirst = true;
  for await (const page of runPages(sql, hash)) {
    const rows = page.map((row) => JSON.stringify(row)).join(",");
    yield isFirst || rows === "" ? rows : `,${rows}`;
    isFirst = false;
  }
  yield "]";
}

interface RunPlace {
  readonly campaign_id: string;
  readonly run: number;
}

async function* runPages(sql: Sql, hash: string): AsyncGenerator<readonly RunPlace[], void, undefined> {
  for (let after: RunPlace = { campaign_id: "00000000-0000-0000-0000-000000000000", run: -1 }; ; ) {
    const page = await sql<RunPlace[]>`
      SELECT run.campaign_id, run.run, last_run, run.revision, planned_at, state, reason, run.ended_at, (
          SELECT coalesce(jsonb_agg(to_jsonb(step) - 'campaign_id' - 'run' ORDER BY step), '[]')
          FROM campaign_steps AS step WHERE (step.campaign_id, step.run) = (run.campaign_id, run.run)) AS steps
      FROM campaign_runs AS run JOIN campaigns USING (campaign_id)
      WHERE user_hash = ${hash} AND (run.campaign_id, run.run) > (${after.campaign_id}::uuid, ${after.run})
      ORDER BY run.campaign_id, run.run LIMIT ${exportRowsMax}`;
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < exportRowsMax) {
      return;
    }
    after = last;
  }
}

/** A member of a JSON object, in pieces, after a comma: one experiment after the other, with its journal. */
export async function* experimentPieces(sql: Sql, hash: string): AsyncGenerator<string, void, undefined> {
  const experiments = await sql<{ experiment_id: string }[]>`
    SELECT experiment_id, name, prefix::text, begun_at, heard_at, ended_at, reason, entries, bytes
    FROM experiments WHERE user_hash = ${hash} ORDER BY begun_at, experiment_id`;
  yield ',"experiments":[';
  for (const [i, experiment] of experiments.entries()) {
    const lines = await sql<{ line: string }[]>`
      SELECT line FROM experiment_entries WHERE experiment_id = ${experiment.experiment_id} ORDER BY place`;
    const journal = lines.map(({ line }) => line);
    yield `${i === 0 ? "" : ","}${JSON.stringify({ ...experiment, journal })}`;
  }
  yield "]";
}
