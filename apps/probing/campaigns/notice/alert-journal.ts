/** Writes raised and cleared alerts, and their messages. */
import type { TransactionSql } from "postgres";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import type { Rules } from "../../../../lib/measuring/campaign/notice/rules.ts";
import { alertDaysMax, digestAlertsMax, followUpWaitSec, messagesPerMinuteMax } from "../limits.ts";
import { type DeliveryTarget, placeOf } from "./alerts-definition.ts";
import type { EndedRun } from "./ended-run.ts";
import type { SeriesChange } from "./notice-run.ts";

/** A change of a series or, without an agent, of the route to a target. */
export interface AlertChange extends Omit<SeriesChange, "detector"> {
  readonly detector: SeriesChange["detector"] | "route";
  /** Who may follow it up, where it is not the agent. */
  readonly agents?: readonly string[];
}

interface Found {
  readonly rules: Rules;
  readonly changes: readonly SeriesChange[];
}

/** One alert in a message: the same in webhooks, e-mails and API responses. */
interface AlertEvent {
  readonly kind: "raised" | "cleared";
  readonly alert_id: string;
  readonly detector: string;
  readonly agent: string;
  readonly destination: string;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly reason: string;
}

/** In one transaction with marking the run as evaluated. */
export async function writeChanges(
  tx: TransactionSql,
  run: EndedRun,
  { rules, changes }: Found,
): Promise<void> {
  await endUnwatched(tx, run, rules);
  await writeEvents(tx, run, changes);
  await tx`
    DELETE FROM alerts WHERE campaign_id = ${run.campaign_id}
      AND cleared_at < now() - ${alertDaysMax} * interval '1 day'`;
  await tx`
    DELETE FROM alert_deliveries WHERE campaign_id = ${run.campaign_id} AND state <> 'due'
      AND created_at < now() - ${alertDaysMax} * interval '1 day'`;
}

/** A run of a campaign, and what its definition says of alerts. */
export type AlertPlace = Pick<
  EndedRun,
  "campaign_id" | "name" | "run" | "planned_at" | "alerts" | "deliveries"
>;

/** Alerts that are raised already, or not, change nothing. */
export async function writeEvents(
  tx: TransactionSql,
  run: AlertPlace,
  changes: readonly AlertChange[],
): Promise<void> {
  const events: AlertEvent[] = [];
  for (const change of changes) {
    const { kind, detector, agent, destination, value, threshold, text } = change;
    const rows = kind === "raised" ? await raise(tx, run, change) : await clear(tx, run, change);
    events.push(
      ...rows.map(({ alert_id }) => ({
        ...{ kind, alert_id, detector, agent, destination, value, threshold, reason: text },
      })),
    );
  }
  if (events.length > 0) {
    for (const target of run.deliveries) {
      await order(tx, run, target, events);
    }
  }
}

type AlertId = { readonly alert_id: string };

function raise(tx: TransactionSql, { campaign_id, run, alerts }: AlertPlace, change: AlertChange) {
  const { detector, agent, destination, value, threshold, text, agents } = change;
  const id = crypto.randomUUID();
  // An alert about the agent itself has nothing to measure.
  const asked = destination === "" ? undefined : alerts.follow_up;
  const followed = asked && { agents, ...asked };
  const key = detector === "route" ? id : `${run} ${agent} ${destination}`;
  return tx<AlertId[]>`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, value, threshold, reason, raised_run,
      follow_up, follow_up_key, follow_up_state)
    VALUES (${id}, ${campaign_id}, ${agent}, ${destination}, ${detector}, ${value}, ${threshold}, ${text}, ${run},
      ${followed === undefined ? null : tx.json(JSON.parse(JSON.stringify(followed)))},
      ${followed === undefined ? null : key}, ${followed === undefined ? null : "due"})
    ON CONFLICT (campaign_id, agent_id, destination, detector) WHERE cleared_at IS NULL DO NOTHING
    RETURNING alert_id`;
}

function clear(tx: TransactionSql, { campaign_id, run }: AlertPlace, change: AlertChange) {
  const { detector, agent, destination, text } = change;
  return tx<AlertId[]>`
    UPDATE alerts SET cleared_run = ${run}, cleared_at = now(), cleared_reason = ${text}
    WHERE campaign_id = ${campaign_id} AND agent_id = ${agent} AND destination = ${destination}
      AND detector = ${detector} AND cleared_at IS NULL
    RETURNING alert_id`;
}

/** After an edit, a detector may be disabled. */
async function endUnwatched(tx: TransactionSql, { campaign_id, run, alerts }: EndedRun, rules: Rules) {
  const watched = [...Object.keys(rules), ...(alerts.routes ? ["route"] : [])];
  await tx`
    UPDATE alerts SET cleared_run = ${run}, cleared_at = now(), cleared_reason = 'It is not monitored any more'
    WHERE campaign_id = ${campaign_id} AND cleared_at IS NULL AND NOT detector = ANY(${watched})`;
}

/** One message for each event, or a digest of all if they exceed the limit per minute. */
async function order(
  tx: TransactionSql,
  run: AlertPlace,
  target: DeliveryTarget,
  events: readonly AlertEvent[],
): Promise<void> {
  const { campaign_id, name, run: number, planned_at } = run;
  const place = placeOf(target);
  const sent = await tx<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM alert_deliveries
    WHERE campaign_id = ${campaign_id} AND place = ${place} AND created_at > now() - interval '1 minute'`;
  const isDigest = rowOf(sent).count + events.length > messagesPerMinuteMax;
  const about = { campaign_id, campaign: name, run: number, planned_at: planned_at.toISOString() };
  const bodies = isDigest
    ? [
        {
          ...{
            kind: "digest",
            ...about,
            raised: countOf(events, "raised"),
            cleared: countOf(events, "cleared"),
          },
          alerts: events.slice(0, digestAlertsMax),
          omitted: Math.max(0, events.length - digestAlertsMax),
        },
      ]
    : events.map((event) => ({ ...about, ...event }));
  for (const body of bodies) {
    const id = crypto.randomUUID();
    await tx`
      INSERT INTO alert_deliveries (delivery_id, campaign_id, run, kind, place, target, is_digest, events, due_at, body)
      VALUES (${id}, ${campaign_id}, ${number}, ${"email" in target ? "email" : "webhook"}, ${place},
        ${tx.json({ ...target })}, ${isDigest}, ${isDigest ? events.length : 1},
        now() + ${run.alerts.follow_up === undefined ? 0 : followUpWaitSec} * interval '1 s',
        ${tx.json(JSON.parse(JSON.stringify({ id, ...body })))})`;
  }
}

function countOf(events: readonly AlertEvent[], kind: AlertEvent["kind"]): number {
  return events.filter((event) => event.kind === kind).length;
}
