/** What starts runs of campaigns with `on`: its source is found and kept from circles, and webhooks come in here. */
import type { TransactionSql } from "postgres";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import type { Definition } from "./definition.ts";
import { unknownCampaign } from "./own-campaign.ts";
import { badBody } from "./probe-text.ts";

/**
 * The id of the campaign that this one waits for; null = for none. Throws Problem: 422 where the user has none of that
 * name, or where it would start itself through others.
 */
export async function sourceOf(
  tx: TransactionSql,
  { userHash, id }: { readonly userHash: string; readonly id: string },
  definition: Partial<Pick<Definition, "on">>,
): Promise<string | null> {
  const named = sourceName(definition);
  if (named === undefined) {
    return null;
  }
  const [source] = await tx<{ id: string }[]>`
    SELECT campaign_id::text AS id FROM campaigns
    WHERE user_hash = ${userHash} AND (name = ${named} OR campaign_id::text = lower(${named}))
    ORDER BY phase = 'ended', created_at DESC LIMIT 1`;
  if (source === undefined) {
    throw badBody("on", `names no campaign of yours: "${named}"`);
  }
  const circle = await tx<{ name: string }[]>`
    WITH RECURSIVE source (id, depth) AS (
      VALUES (${source.id}::text, 1)
      UNION ALL SELECT source_id::text, depth + 1
      FROM source JOIN campaigns ON campaign_id::text = id JOIN campaign_revisions USING (campaign_id, revision)
      WHERE source_id IS NOT NULL AND depth < 100
    ) SELECT FROM source WHERE id = ${id}`;
  if (circle.length > 0) {
    throw badBody("on", `would start the campaign by itself: "${named}" waits for it`);
  }
  return source.id;
}

/** The campaign that it waits for: a name or an id, as the user gave it. */
export function sourceName({ on }: Partial<Pick<Definition, "on">>): string | undefined {
  return on?.alert ?? on?.ended;
}

/** Whether the event is new. Throws Problem: 404, 409 for a campaign that waits for no webhook, 429 for a storm. */
export async function takeWebhook(
  { sql, timed }: Database,
  { id, userHash }: Owned,
  event: string,
): Promise<boolean> {
  const [row] = await timed(
    "campaign_event",
    () => sql<{ per_hour: number | null; outcome: string | null }[]>`
      SELECT per_hour, CASE WHEN per_hour IS NOT NULL
        THEN add_campaign_event(campaign_id, ${`webhook ${event}`}, per_hour) END AS outcome
      FROM (
        SELECT campaign_id, CASE WHEN phase <> 'ended' AND definition->'on' ? 'webhook'
          THEN (definition->'on'->>'per_hour')::integer END AS per_hour
        FROM campaigns JOIN campaign_revisions USING (campaign_id, revision)
        WHERE campaign_id = ${id} AND user_hash = ${userHash}) AS own`,
  );
  if (row === undefined) {
    throw unknownCampaign();
  }
  if (row.per_hour === null) {
    throw problem(409, "no_webhook", "The campaign has ended, or waits for no webhook: on: {webhook: true}");
  }
  if (row.outcome === "cut") {
    const most = `it takes ${row.per_hour} an hour (on.per_hour)`;
    throw problem(429, "event_storm", `The event was cut, and starts no run: ${most}`);
  }
  return row.outcome === "added";
}
