/**
 * Starts the measurement that a raised alert asks for, once for each change, whichever gateway does it: alerts about
 * one change share a key, from which the id of their measurement or discovery follows. A day's budget is reserved
 * before it starts.
 */
import type { TransactionSql } from "postgres";
import { Problem } from "../../../lib/engines/http/problem.ts";
import { rowOf } from "../../../lib/engines/store/postgres/row-of.ts";
import type { FollowUpServices } from "./campaign-services.ts";
import { type DueAlert, probesOf, started } from "./follow-up-measure.ts";
import {
  evaluationClaimSec,
  evaluationRetrySec,
  evaluationsAtOnceMax,
  followUpsPerHourMax,
  reasonCharsMax,
} from "./limits.ts";

/** Starts those that are due, up to a number. */
export async function startFollowUps(services: FollowUpServices): Promise<void> {
  for (let looks = 0; looks < evaluationsAtOnceMax; looks++) {
    const due = await services.database.timed("alert_follow_up", () => services.database.sql.begin(claim));
    if (due === null) {
      return;
    }
    if (due !== "refused") {
      await start(services, due);
    }
  }
}

/** Null = nothing is due. */
async function claim(tx: TransactionSql): Promise<DueAlert | "refused" | null> {
  const [due] = await tx<DueAlert[]>`
    SELECT alert_id, campaign_id, follow_up_key AS key, agent_id AS agent, destination, raised_run AS run, user_hash,
      follow_up
    FROM alerts JOIN campaigns USING (campaign_id)
    WHERE follow_up_state = 'due' AND (follow_up_claimed_until IS NULL OR follow_up_claimed_until < now())
    ORDER BY raised_at LIMIT 1 FOR UPDATE OF alerts SKIP LOCKED`;
  if (due === undefined) {
    return null;
  }
  const reason = await overBudget(tx, due);
  if (reason !== null) {
    await end(tx, due.alert_id, { state: "refused", reason, id: null });
    return "refused";
  }
  await tx`
    UPDATE alerts SET follow_up_probes = ${probesOf(due)}, follow_up_at = coalesce(follow_up_at, now()),
      follow_up_claimed_until = now() + ${evaluationClaimSec} * interval '1 s' WHERE alert_id = ${due.alert_id}`;
  return due;
}

/** Null = there is room for it. */
async function overBudget(tx: TransactionSql, due: DueAlert): Promise<string | null> {
  const { campaign_id, key, follow_up } = due;
  // Others of this campaign wait: no two of them use the same rest of the budget.
  await tx`SELECT FROM campaigns WHERE campaign_id = ${campaign_id} FOR NO KEY UPDATE`;
  const sums = await tx<{ probes: number; hour: number }[]>`
    SELECT coalesce(sum(probes), 0)::integer AS probes,
      count(*) FILTER (WHERE at > now() - interval '1 hour')::integer AS hour
    FROM (
      SELECT max(follow_up_probes) AS probes, max(follow_up_at) AS at FROM alerts
      WHERE campaign_id = ${campaign_id} AND follow_up_at > now() - interval '1 day'
        AND follow_up_probes IS NOT NULL AND follow_up_key <> ${key}
      GROUP BY follow_up_key) AS change`;
  const { probes, hour } = rowOf(sums);
  if (probes + probesOf(due) > follow_up.probes_per_day) {
    return `The budget of ${follow_up.probes_per_day} probes a day is used up`;
  }
  return hour < followUpsPerHourMax ? null : `${followUpsPerHourMax} changes were measured within an hour`;
}

async function start(services: FollowUpServices, due: DueAlert): Promise<void> {
  const { database, log } = services;
  const { alert_id, campaign_id } = due;
  try {
    const id = await started(services, due);
    await database.sql.begin((tx) => end(tx, alert_id, { state: "started", reason: null, id }));
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) {
      log.warn("Cannot start an alert's measurement; trying again", { campaign_id, alert_id, error });
      await database.sql`
        UPDATE alerts SET follow_up_claimed_until = now() + ${evaluationRetrySec} * interval '1 s'
        WHERE alert_id = ${alert_id}`;
      return;
    }
    const reason = error.message.slice(0, reasonCharsMax);
    await database.sql.begin((tx) => end(tx, alert_id, { state: "refused", reason, id: null }));
  }
}

interface Ended {
  readonly state: "started" | "refused";
  readonly reason: string | null;
  readonly id: string | null;
}

/** Messages about the alert have waited for it; a digest waits for all of its alerts, or for its time. */
async function end(tx: TransactionSql, alertId: string, { state, reason, id }: Ended): Promise<void> {
  const [alert] = await tx<{ campaign_id: string; measure: string }[]>`
    UPDATE alerts SET follow_up_state = ${state}, follow_up_reason = ${reason}, follow_up_id = ${id},
      follow_up_probes = CASE WHEN ${state} = 'refused' THEN NULL ELSE follow_up_probes END
    WHERE alert_id = ${alertId} AND follow_up_state = 'due' RETURNING campaign_id, follow_up->>'measure' AS measure`;
  if (alert === undefined) {
    return;
  }
  const said = tx.json({ follow_up: alert.measure, follow_up_id: id, follow_up_reason: reason });
  await tx`
    UPDATE alert_deliveries
    SET due_at = CASE WHEN is_digest THEN due_at ELSE now() END,
      body = CASE WHEN is_digest THEN jsonb_set(body, '{alerts}', (
        SELECT jsonb_agg(CASE WHEN one->>'alert_id' = ${alertId} THEN one || ${said} ELSE one END ORDER BY place)
        FROM jsonb_array_elements(body->'alerts') WITH ORDINALITY AS listed (one, place))) ELSE body || ${said} END
    WHERE campaign_id = ${alert.campaign_id} AND state = 'due' AND attempts = '[]' AND (
      (body->>'kind' = 'raised' AND body->>'alert_id' = ${alertId})
      OR (is_digest AND body->'alerts' @> jsonb_build_array(jsonb_build_object('alert_id', ${alertId}::text,
        'kind', 'raised'))))`;
}
