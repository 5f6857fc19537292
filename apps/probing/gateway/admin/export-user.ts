/** Everything that this gateway stores about one user, as JSON in pieces, never all of it in memory. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { exportRowsMax } from "../limits.ts";
import { campaignPieces, experimentPieces } from "./export-campaigns.ts";
import { readUser } from "./users.ts";

/** Throws Problem 404 before the first piece. */
export async function exportedUser(
  database: Database,
  hash: string,
): Promise<AsyncGenerator<string, void, undefined>> {
  const user = await readUser(database.sql, hash);
  return pieces(database, hash, user);
}

async function* pieces(
  { sql }: Database,
  hash: string,
  user: object,
): AsyncGenerator<string, void, undefined> {
  yield `{"user":${JSON.stringify(user)}`;
  const days = await sql`
    SELECT day::text, charged, credited, bytes, submissions, last_submitted_at
    FROM quota_days WHERE user_hash = ${hash} ORDER BY day`;
  const sqlDays = await sql`
    SELECT day::text, queries, used_ms FROM sql_days WHERE user_hash = ${hash} ORDER BY day`;
  const refusals = await sql`
    SELECT request_id, gateway_id, refused_at, status, code, reason, made_by, added_to
    FROM refused_submissions WHERE user_hash = ${hash} ORDER BY refusal_id`;
  const prefixes = await sql`
    SELECT agent_id, agent_prefix::text, user_prefix::text, first_given_at
    FROM user_prefixes WHERE user_hash = ${hash} ORDER BY first_given_at, user_prefix`;
  const audit = await sql`
    SELECT audit_id, at, actor, action, subject, details FROM audit
    WHERE subject = ${`user:${hash}`} OR actor IN (${`user:${hash}`}, ${`operator:${hash}`}) ORDER BY audit_id`;
  const tokens = await sql`
    SELECT token_id, name, scopes, measurement_id, campaign_id, probes_per_day_max, made_by, created_at, expires_at,
      revoked_at, last_used_at, host(last_used_from) AS last_used_from, (
        SELECT coalesce(jsonb_agg(to_jsonb(use) - 'token_id' ORDER BY day, tool), '[]')
        FROM api_token_uses AS use WHERE use.token_id = token.token_id) AS uses
    FROM api_tokens AS token WHERE user_hash = ${hash} ORDER BY created_at`;
  const shares = await sql`
    SELECT measurement_id, campaign_id, linked_at, public_at, licence, contact, citation, hidden_at, hidden_because
    FROM shares WHERE user_hash = ${hash} ORDER BY created_at`;
  yield `,"tokens":${JSON.stringify(tokens)},"shares":${JSON.stringify(shares)}`;
  yield* campaignPieces(sql, hash);
  yield* experimentPieces(sql, hash);
  yield `,"quota_days":${JSON.stringify(days)},"sql_days":${JSON.stringify(sqlDays)}`;
  yield `,"refused_submissions":${JSON.stringify(refusals)}`;
  yield `,"prefixes":${JSON.stringify(prefixes)}`;
  yield `,"audit":${JSON.stringify(audit)},"measurements":[`;
  let isFirst = true;
  for await (const page of measurementPages(sql, hash)) {
    const rows = page.map((row) => JSON.stringify(row)).join(",");
    yield isFirst || rows === "" ? rows : `,${rows}`;
    isFirst = false;
  }
  yield "]}";
}

async function* measurementPages(
  sql: Database["sql"],
  hash: string,
): AsyncGenerator<readonly object[], void, undefined> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const page = await sql<{ measurement_id: string }[]>`
      SELECT measurement_id, gateway_id, idempotency_key, answer, probes, record_probes, day::text, started_at,
        updated_at, ended_at, finished_at, not_after, published_at, published_probes, share, name, tags, note, summary,
        made_by, token_id, campaign_id, campaign_run, discovery_round, (
          SELECT targets::text[] FROM target_sets AS sets
          WHERE sets.user_hash = whole.user_hash AND sets.target_set = whole.target_set) AS destinations,
        (SELECT coalesce(jsonb_agg(to_jsonb(part) - 'measurement_id' ORDER BY agent_id), '[]')
          FROM measurement_agents AS part WHERE part.measurement_id = whole.measurement_id) AS agents,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('agent_id', agent_id, 'source_address', host(source_address))
            ORDER BY agent_id), '[]')
          FROM measurement_targets AS target WHERE target.measurement_id = whole.measurement_id) AS targets,
        (SELECT coalesce(jsonb_agg(to_jsonb(packets) - 'measurement_id' - 'content'), '[]')
          FROM packet_files AS packets WHERE packets.measurement_id = whole.measurement_id) AS packet_files
      FROM measurements AS whole
      WHERE user_hash = ${hash} AND measurement_id > ${after} ORDER BY measurement_id LIMIT ${exportRowsMax}`;
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < exportRowsMax) {
      return;
    }
    after = last.measurement_id;
  }
}
