/** Alerts and deliveries as their users see them. */
import type { alertAnswer, alertDeliveryAnswer } from "../../../lib/api/alerts.ts";
import type { StoredAnswer } from "../../../lib/api/stored-answer.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";

interface AlertsOrder {
  readonly userHash: string;
  /** Null = of all of the user's. */
  readonly campaignId: string | null;
  readonly isActive: boolean;
  readonly limit: number;
  /** Id of the last one seen. */
  readonly after?: string | undefined;
}

/** The newest first, up to `limit` + 1. Active ones are of campaigns that go on. */
export function listAlerts(
  { sql, timed }: Database,
  { userHash, campaignId, isActive, limit, after }: AlertsOrder,
) {
  return timed(
    "alert_list",
    () => sql<StoredAnswer<typeof alertAnswer>[]>`
      SELECT alert_id AS id, campaign_id, name AS campaign, detector, agent_id AS agent, destination, value, threshold,
        reason, raised_run, raised_at, cleared_run, cleared_at, cleared_reason
      FROM alerts JOIN campaigns USING (campaign_id)
      WHERE user_hash = ${userHash} ${campaignId === null ? sql`` : sql`AND campaign_id = ${campaignId}`}
        ${isActive ? sql`AND cleared_at IS NULL AND phase <> 'ended'` : sql``}
        ${
          after === undefined
            ? sql``
            : sql`AND (raised_at, alert_id) < (SELECT raised_at, alert_id FROM alerts WHERE alert_id = ${after})`
        }
      ORDER BY raised_at DESC, alert_id DESC LIMIT ${limit + 1}`,
  );
}

interface DeliveriesOrder {
  readonly campaignId: string;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** The newest first, up to `limit` + 1. */
export function listDeliveries({ sql, timed }: Database, { campaignId, limit, after }: DeliveriesOrder) {
  return timed(
    "alert_deliveries",
    () => sql<StoredAnswer<typeof alertDeliveryAnswer>[]>`
      SELECT delivery_id AS id, run, kind, place, is_digest, events, state, attempts, created_at,
        CASE WHEN state = 'due' THEN due_at END AS next_at
      FROM alert_deliveries
      WHERE campaign_id = ${campaignId}
        ${
          after === undefined
            ? sql``
            : sql`AND (created_at, delivery_id) < (
                SELECT created_at, delivery_id FROM alert_deliveries WHERE delivery_id = ${after})`
        }
      ORDER BY created_at DESC, delivery_id DESC LIMIT ${limit + 1}`,
  );
}
