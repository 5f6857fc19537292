/** Alerts as metrics, of campaigns that have not ended; read at each scrape. */
import type { Sight } from "../../../../lib/engines/observe/sight.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { alertSeriesMax } from "../limits.ts";

interface ActiveAlerts {
  readonly campaign: string;
  readonly detector: string;
  readonly value: number;
}

interface AlertLevels {
  readonly active: () => Promise<readonly ActiveAlerts[]>;
  /** Messages that wait for their next attempt, and failed ones. */
  readonly followUps: () => Promise<readonly { readonly state: string; readonly value: number }[]>;
  readonly deliveries: () => Promise<{ readonly due: number; readonly failed: number }>;
}

export function addAlertGauges(sight: Sight, { active, followUps, deliveries }: AlertLevels): void {
  sight.add({
    part: "database",
    name: "vantage_alert_active",
    help: "Active alerts of campaigns, by campaign and detector",
    labelNames: ["campaign", "detector"],
    read: async () => (await active()).map(({ value, ...labels }) => ({ labels, value })),
  });
  sight.add({
    part: "database",
    name: "vantage_alert_follow_ups",
    help: "Kept alerts with a follow-up, by state: started, refused (budget, quota, agents), due",
    labelNames: ["state"],
    read: async () => (await followUps()).map(({ value, state }) => ({ labels: { state }, value })),
  });
  sight.add({
    part: "database",
    name: "vantage_alert_deliveries",
    help: "Messages about alerts that wait for their next attempt, or were given up, by state",
    labelNames: ["state"],
    read: async () =>
      Object.entries(await deliveries()).map(([state, value]) => ({ labels: { state }, value })),
  });
}

export function alertLevels({ sql, timed }: Database): AlertLevels {
  return {
    active: () =>
      timed(
        "alert_gauge",
        () => sql<ActiveAlerts[]>`
          SELECT campaign_id AS campaign, detector, count(*)::integer AS value
          FROM alerts JOIN campaigns USING (campaign_id) WHERE cleared_at IS NULL AND phase <> 'ended'
          GROUP BY campaign_id, detector ORDER BY value DESC LIMIT ${alertSeriesMax}`,
      ),
    followUps: () =>
      timed(
        "alert_follow_up_gauge",
        () => sql<{ state: string; value: number }[]>`
          SELECT state, count(follow_up_state)::integer AS value
          FROM unnest(ARRAY['due', 'started', 'refused']) AS state LEFT JOIN alerts ON follow_up_state = state
          GROUP BY state ORDER BY state`,
      ),
    deliveries: async () => {
      const [row] = await timed(
        "alert_delivery_gauge",
        () => sql<{ due: number; failed: number }[]>`
          SELECT count(*) FILTER (WHERE state = 'due')::integer AS due,
            count(*) FILTER (WHERE state = 'failed')::integer AS failed
          FROM alert_deliveries WHERE state <> 'delivered'`,
      );
      return { due: row?.due ?? 0, failed: row?.failed ?? 0 };
    },
  };
}
