/**
 * A campaign's state in one response, in the format of RIPE Atlas status checks, for monitoring: each agent and target
 * with its last figures, and whether they are within the caller's limits. What was not measured, because an agent sent
 * nothing, is `unknown`, and no alert.
 */
import type * as v from "valibot";
import type { statusCheckAnswer } from "../../../../lib/base/api/alerts.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { statusRowsMax } from "../limits.ts";

/** The part of the last runs that is stored with a series. */
export interface SeriesFigures {
  readonly run: number;
  readonly sent: number;
  readonly lost: number;
  /** The newest first; null = no median. */
  readonly medians_ms: readonly (number | null)[];
}

interface Permitted {
  /** Number of runs to check. */
  readonly lookback: number;
  /** Percent from 0 to 100. */
  readonly maxPacketLoss: number;
  /** Above the median of previous runs; null = any. */
  readonly rttThreshold: { readonly value: number; readonly isPercent: boolean } | null;
  readonly permittedTotalAlerts: number;
  /** Include series without an alert. */
  readonly showAll: boolean;
}

interface StatusRow {
  readonly agent_id: string;
  readonly destination: string;
  readonly figures: SeriesFigures | null;
  readonly has_sent: boolean;
}

type StatusCheck = v.InferOutput<typeof statusCheckAnswer>;
type Entry = StatusCheck["probes"][string];

export async function statusCheck(
  { sql, timed }: Database,
  { id: campaignId }: Owned,
  permitted: Permitted,
): Promise<StatusCheck> {
  const rows = await timed(
    "campaign_status",
    () => sql<StatusRow[]>`
      SELECT series.agent_id, series.destination, series.figures,
        coalesce((agent.figures->>'has_sent')::boolean, true) AS has_sent
      FROM campaign_series AS series LEFT JOIN campaign_series AS agent
        ON (agent.campaign_id, agent.agent_id, agent.destination) = (series.campaign_id, series.agent_id, '')
      WHERE series.campaign_id = ${campaignId} AND series.destination <> ''
      ORDER BY series.agent_id, series.destination LIMIT ${statusRowsMax}`,
  );
  const targets = new Set(rows.map(({ destination }) => destination));
  const entries = rows.map((row) => {
    const name = targets.size > 1 ? `${row.agent_id} ${row.destination}` : row.agent_id;
    return [name, entryOf(row, permitted)] as const;
  });
  const alerts = entries.filter(([, { alert }]) => alert).length;
  return {
    global_alert: alerts > permitted.permittedTotalAlerts,
    total_alerts: alerts,
    probes: Object.fromEntries(entries.filter(([, { alert }]) => alert || permitted.showAll)),
  };
}

function entryOf({ figures, has_sent }: StatusRow, permitted: Permitted): Entry {
  const all = (figures?.medians_ms ?? []).slice(0, permitted.lookback);
  const last = all[0] ?? null;
  const loss = figures === null || figures.sent === 0 ? null : (100 * figures.lost) / figures.sent;
  if (!has_sent) {
    return { alert: false, alert_reasons: ["unknown"], all, last, last_packet_loss: null };
  }
  const reasons = [
    ...(loss !== null && loss > permitted.maxPacketLoss ? ["loss"] : []),
    ...(isSlow(all, permitted.rttThreshold) ? ["rtt"] : []),
  ];
  return { alert: reasons.length > 0, alert_reasons: reasons, all, last, last_packet_loss: loss };
}

function isSlow(
  [last = null, ...before]: readonly (number | null)[],
  threshold: Permitted["rttThreshold"],
): boolean {
  const known = before.filter((one) => one !== null).toSorted((a, b) => a - b);
  const usual = known[Math.floor(known.length / 2)];
  if (last === null || usual === undefined || threshold === null) {
    return false;
  }
  return last > usual + (threshold.isPercent ? (usual * threshold.value) / 100 : threshold.value);
}
