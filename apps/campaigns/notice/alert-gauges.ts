/** Alerts as metrics, of campaigns that have not ended; read at each scrape. */
import type { Sight } from "../../../lib/observe/sight.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import { alertSeriesMax } from "../limits.ts";

export function addAlertGauges(sight: Sight, { sql, timed }: Database): void {
  sight.add({
    part: "database",
    name: "vantage_alert_active",
    help: "Active alerts of campaigns, by campaign and detector",
    labelNames: ["campaign", "detector"],
    read: async () => {
      const rows = await timed(
        "alert_gauge",
        () => sql<{ campaign: string; detector: string; value: number }[]>`
          SELECT campaign_id AS campaign, detector, count(*)::integer AS value
          FROM alerts JOIN campaigns USING (campaign_id) WHERE cleared_at IS NULL AND phase <> 'ended'
          GROUP BY campaign_id, detector ORDER BY value DESC LIMIT ${alertSeriesMax}`,
      );
      return rows.map(({ value, ...labels }) => ({ labels, value }));
    },
  });
  sight.add({
    part: "database",
    name: "vantage_alert_deliveries",
    help: "Messages about alerts that wait for their next attempt, or were given up, by state",
    labelNames: ["state"],
    read: async () => {
      const [row] = await timed(
        "alert_delivery_gauge",
        () => sql<{ due: number; failed: number }[]>`
          SELECT count(*) FILTER (WHERE state = 'due')::integer AS due,
            count(*) FILTER (WHERE state = 'failed')::integer AS failed
          FROM alert_deliveries WHERE state <> 'delivered'`,
      );
      return [
        { labels: { state: "due" }, value: row?.due ?? 0 },
        { labels: { state: "failed" }, value: row?.failed ?? 0 },
      ];
    },
  });
}
