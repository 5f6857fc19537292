/** Alerts and deliveries as their users see them. */
import type { alertAnswer, alertDeliveryAnswer } from "../../../../lib/base/api/alerts.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";

interface AlertsOrder {
  /** A campaign, or all of a user's. */
  readonly of: Owned | Pick<Identity, "userHash">;
  readonly isActive: boolean;
}

/** Newest first. Active ones belong to campaigns that have not ended. */
export function listAlerts(database: Database, { of, isActive }: AlertsOrder, page: PageOrder) {
  const { sql } = database;
  return readPage(
    database,
    "alert_list",
    page,
    (limit, after) => sql<StoredAnswer<typeof alertAnswer>[]>`
      SELECT alert_id AS id, campaign_id, name AS campaign, detector, agent_id AS agent, destination, value, threshold,
        reason, raised_run, raised_at, cleared_run, cleared_at, cleared_reason,
        follow_up->>'measure' AS follow_up, follow_up_state, follow_up_id, follow_up_reason
      FROM alerts JOIN campaigns USING (campaign_id)
      WHERE user_hash = ${of.userHash} ${"id" in of ? sql`AND campaign_id = ${of.id}` : sql``}
        ${isActive ? sql`AND cleared_at IS NULL AND phase <> 'ended'` : sql``}
        ${
          after === undefined
            ? sql``
            : sql`AND (raised_at, alert_id) < (
                SELECT raised_at, alert_id FROM alerts JOIN campaigns USING (campaign_id)
                WHERE alert_id = ${after} AND user_hash = ${of.userHash})`
        }
      ORDER BY raised_at DESC, alert_id DESC LIMIT ${limit}`,
  );
}

/** The newest first. */
export function listDeliveries(database: Database, { id }: Owned, page: PageOrder) {
  const { sql } = database;
  return readPage(
    database,
    "alert_deliveries",
    page,
    (limit, after) => sql<StoredAnswer<typeof alertDeliveryAnswer>[]>`
      SELECT delivery_id AS id, run, kind, place, is_digest, events, state, attempts, created_at,
        CASE WHEN state = 'due' THEN due_at END AS next_at
      FROM alert_deliveries
      WHERE campaign_id = ${id}
        ${
          after === undefined
            ? sql``
            : sql`AND (created_at, delivery_id) < (
                SELECT created_at, delivery_id FROM alert_deliveries
                WHERE delivery_id = ${after} AND campaign_id = ${id})`
        }
      ORDER BY created_at DESC, delivery_id DESC LIMIT ${limit}`,
  );
}
