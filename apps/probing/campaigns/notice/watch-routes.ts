/**
 * Reads the routes towards the targets of campaigns with `routes`, and raises alerts about changed ones, each change
 * once with any number of gateways: the known paths, locked, are compared and replaced in one transaction with the
 * alerts. What is read twice is not a change.
 */
import type { TransactionSql } from "postgres";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { counted } from "../../../../lib/base/terminal/figures.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import type { NoticeServices } from "../campaign-services.ts";
import {
  evaluationClaimSec,
  evaluationRetrySec,
  evaluationsAtOnceMax,
  followUpAgentsMax,
  routeAlertSec,
  routeAlertsMax,
  routeLookSec,
  routePathsMax,
} from "../limits.ts";
import { afterUpdates, type RouteChange, type RoutePaths, routeChanges } from "../route-changes.ts";
import type { StoredRoutes } from "../stored-routes.ts";
import { type AlertChange, type AlertPlace, writeEvents } from "./alert-journal.ts";

interface Watched extends AlertPlace {
  /** As text: JavaScript's numbers are too small. */
  readonly read_to_ns: string;
  /** Destination -> agents that measure it. */
  readonly series: Readonly<Record<string, readonly string[]>>;
}

/** Reads those that are due, up to a number. Never rejects on store failures: these are retried. */
export async function watchRoutes(services: NoticeServices): Promise<void> {
  for (let looks = 0; looks < evaluationsAtOnceMax; looks++) {
    const watched = await claim(services);
    if (watched === null) {
      return;
    }
    await read(services, watched);
  }
}

/** A campaign has targets from its first evaluated run on. */
async function claim({ database: { sql, timed } }: NoticeServices): Promise<Watched | null> {
  const [row = null] = await timed(
    "campaign_routes_claim",
    () => sql<Watched[]>`
      WITH added AS (
        INSERT INTO campaign_routes (campaign_id)
        SELECT campaign_id FROM campaigns JOIN campaign_revisions USING (campaign_id, revision)
        WHERE phase = 'active' AND definition->'alerts'->'routes' = 'true'
          AND NOT EXISTS (SELECT FROM campaign_routes AS known WHERE known.campaign_id = campaigns.campaign_id)
        ON CONFLICT DO NOTHING
      ), due AS (
        SELECT campaign_id FROM campaign_routes JOIN campaigns USING (campaign_id)
          JOIN campaign_revisions USING (campaign_id, revision)
        WHERE due_at <= now() AND phase = 'active' AND definition->'alerts'->'routes' = 'true'
        ORDER BY due_at LIMIT 1 FOR UPDATE OF campaign_routes SKIP LOCKED
      ), claimed AS (
        UPDATE campaign_routes AS known SET due_at = now() + ${evaluationClaimSec} * interval '1 s'
        FROM due WHERE known.campaign_id = due.campaign_id RETURNING known.campaign_id, read_to_ns
      )
      SELECT campaign_id, read_to_ns::text, name, definition->'alerts' AS alerts, deliveries,
        coalesce(latest.run, 0) AS run, coalesce(latest.planned_at, now()) AS planned_at,
        coalesce(series.agents, '{}') AS series
      FROM claimed JOIN campaigns USING (campaign_id) JOIN campaign_revisions USING (campaign_id, revision)
        LEFT JOIN LATERAL (
          SELECT run, planned_at FROM campaign_runs AS run
          WHERE run.campaign_id = claimed.campaign_id AND state <> 'passed' ORDER BY run DESC LIMIT 1
        ) AS latest ON true
        LEFT JOIN LATERAL (
          SELECT jsonb_object_agg(destination, agents) AS agents FROM (
            SELECT destination, jsonb_agg(agent_id ORDER BY agent_id) AS agents FROM campaign_series AS one
            WHERE one.campaign_id = claimed.campaign_id AND destination <> '' GROUP BY destination) AS by_target
        ) AS series ON true`,
  );
  return row;
}

async function read(services: NoticeServices, watched: Watched): Promise<void> {
  const { database, results, log } = services;
  const { campaign_id, read_to_ns, series } = watched;
  const destinations = Object.keys(series);
  try {
    const stored =
      destinations.length === 0 ? null : await results.routes({ destinations, fromNs: BigInt(read_to_ns) });
    await database.timed("campaign_routes", () => database.sql.begin((tx) => write(tx, watched, stored)));
    if (stored?.isCut) {
      log.warn(`A campaign's routes have more than ${routePathsMax} paths; the rest is not watched`, {
        campaign_id,
      });
    }
  } catch (error) {
    if (!isFailure(error, "store")) {
      throw error;
    }
    log.warn("Cannot read a campaign's routes; trying again", { campaign_id, error });
    await database.sql`
      UPDATE campaign_routes SET due_at = now() + ${evaluationRetrySec} * interval '1 s'
      WHERE campaign_id = ${campaign_id}`;
  }
}

async function write(tx: TransactionSql, watched: Watched, stored: StoredRoutes | null): Promise<void> {
  const { campaign_id, series } = watched;
  const rows = await tx<{ paths: RoutePaths | null }[]>`
    SELECT paths FROM campaign_routes WHERE campaign_id = ${campaign_id} FOR UPDATE`;
  const known = rowOf(rows);
  await writeEvents(tx, watched, await quiet(tx, campaign_id));
  if (stored === null) {
    await tx`
      UPDATE campaign_routes SET due_at = now() + ${routeLookSec} * interval '1 s'
      WHERE campaign_id = ${campaign_id}`;
    return;
  }
  const after = afterUpdates(known.paths ?? {}, stored.updates);
  const changes = known.paths === null ? [] : routeChanges(known.paths, after, Object.keys(series));
  const raised = await active(tx, campaign_id);
  const news = changes.filter(({ destinations: [first = ""] }) => !raised.has(first));
  await writeEvents(tx, watched, alertsOf(news, series));
  await tx`
    UPDATE campaign_routes SET paths = ${tx.json(JSON.parse(JSON.stringify(after)))},
      read_to_ns = greatest(read_to_ns, ${String(stored.atNs)}::bigint),
      due_at = now() + ${routeLookSec} * interval '1 s'
    WHERE campaign_id = ${campaign_id}`;
}

/** An alert for each prefix, about its first target; of too many at once, one names them. */
function alertsOf(changes: readonly RouteChange[], series: Watched["series"]): AlertChange[] {
  const isStorm = changes.length > routeAlertsMax;
  const names = changes.slice(0, routeAlertsMax).map(({ prefix }) => prefix);
  const storm = `${changes.length} prefixes changed at once, one is followed up: ${names.join(", ")}, …`;
  return changes.slice(0, isStorm ? 1 : routeAlertsMax).map(({ destinations, reporters, text }) => {
    const [destination = ""] = destinations;
    const more = destinations.length > 1 ? `; ${counted(destinations.length, "target")}` : "";
    return {
      ...({ detector: "route", kind: "raised", agent: "", destination, threshold: null } as const),
      value: isStorm ? changes.length : reporters,
      text: isStorm ? `${storm} ${text}` : `${text}${more}`,
      agents: (series[destination] ?? []).slice(0, followUpAgentsMax),
    };
  });
}

/** Targets of raised alerts: further changes belong to these. */
async function active(tx: TransactionSql, campaignId: string): Promise<ReadonlySet<string>> {
  const rows = await tx<{ destination: string }[]>`
    SELECT destination FROM alerts
    WHERE campaign_id = ${campaignId} AND detector = 'route' AND cleared_at IS NULL`;
  return new Set(rows.map(({ destination }) => destination));
}

/** Alerts about routes end by time: changes until then belong to them. */
async function quiet(tx: TransactionSql, campaignId: string): Promise<AlertChange[]> {
  const rows = await tx<{ destination: string }[]>`
    SELECT destination FROM alerts WHERE campaign_id = ${campaignId} AND detector = 'route' AND cleared_at IS NULL
      AND raised_at < now() - ${routeAlertSec} * interval '1 s'`;
  return rows.map(({ destination }) => ({
    ...({
      detector: "route",
      kind: "cleared",
      agent: "",
      destination,
      value: null,
      threshold: null,
    } as const),
    text: `It was raised ${routeAlertSec / 60} min ago`,
  }));
}
