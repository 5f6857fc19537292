/**
 * Bodies of webhooks as other services read them, by the name in a delivery's `format`:
 *
 *   slack, mattermost, matrix  {"text"}: incoming webhooks; for Matrix a generic webhook of Hookshot
 *   discord                    {"content"}: at most 2000 characters
 *   pagerduty                  Events API v2; the delivery's secret is the integration key
 *   alertmanager               a list for POST /api/v2/alerts; a cleared alert has an end
 */
import type { AlertFormat } from "../../../../lib/base/api/alerts.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import { discordCharsMax, messageCharsMax, pagerdutySummaryCharsMax } from "../limits.ts";
import { templatePlace } from "../notice/alerts-definition.ts";
import {
  type AlertSaid,
  alertsOf,
  headOf,
  linesOf,
  type MessageSaid,
  restOf,
  subjectOf,
} from "./message-text.ts";

type Writer = (said: MessageSaid, secret: string) => unknown;

const writers: Readonly<Record<AlertFormat, Writer>> = {
  // Slack reads &, < and > as its own markup: mentions and links.
  slack: (said) => ({ text: cut(escaped(textOf(said)), messageCharsMax) }),
  mattermost: (said) => ({ text: cut(textOf(said), messageCharsMax) }),
  matrix: (said) => ({ text: cut(textOf(said), messageCharsMax) }),
  discord: (said) => ({ content: cut(textOf(said), discordCharsMax), allowed_mentions: { parse: [] } }),
  pagerduty,
  alertmanager: (said) => alertsOf(said).map((alert) => alertmanagerAlert(said, alert)),
};

export function bodyIn(format: AlertFormat, said: MessageSaid, secret: string): string {
  return JSON.stringify(writers[format](said, secret));
}

/** A user's own JSON, in whose strings `{{NAME}}` stands for a member of the message; what it lacks is empty. */
export function bodyBy(template: string, said: MessageSaid): string {
  const values: Readonly<Record<string, unknown>> = {
    ...said,
    ...{ subject: subjectOf(said), text: cut(textOf(said), messageCharsMax) },
  };
  return template.replaceAll(templatePlace, (_, name: string) =>
    JSON.stringify(name === "text" ? values.text : visible(String(values[name] ?? ""))).slice(1, -1),
  );
}

function textOf(said: MessageSaid): string {
  const lines = alertsOf(said).flatMap(linesOf);
  const rest = restOf(said);
  const all = [`${subjectOf(said)} (run ${said.run})`, ...lines, ...(rest === null ? [] : [rest])];
  return all.map(visible).join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function cleaned(said: MessageSaid): unknown {
  return JSON.parse(JSON.stringify(said), (_, value) => (typeof value === "string" ? visible(value) : value));
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}

/** A digest is one event of its own, which nothing resolves. */
function pagerduty(said: MessageSaid, secret: string) {
  const isCleared = said.kind === "cleared";
  return {
    routing_key: secret,
    event_action: isCleared ? "resolve" : "trigger",
    dedup_key: String(said.alert_id ?? said.id),
    payload: {
      summary: cut(visible(summaryOf(said)), pagerdutySummaryCharsMax),
      source: visible(String(said.agent ?? said.campaign)),
      severity: "warning",
      timestamp: said.planned_at,
      class: said.detector,
      group: visible(String(said.campaign)),
      custom_details: cleaned(said),
    },
  };
}

function summaryOf(said: MessageSaid): string {
  return said.kind === "digest" ? subjectOf(said) : `${said.campaign}: ${headOf(said)}; ${said.reason}`;
}

/** The same labels when it is raised and when it is cleared, by which Alertmanager knows it. */
function alertmanagerAlert(said: MessageSaid, alert: AlertSaid) {
  const { alert_id: id, detector, agent, destination, reason, kind, value, threshold } = alert;
  const text = (one: unknown) => visible(String(one ?? ""));
  return {
    labels: {
      ...{
        alertname: `vantage_${detector}`,
        campaign: text(said.campaign),
        campaign_id: text(said.campaign_id),
      },
      ...{ agent: text(agent), destination: text(destination), alert_id: text(id), severity: "warning" },
    },
    annotations: {
      ...{ summary: text(headOf(alert)), description: text(reason) },
      ...{ value: text(value), threshold: text(threshold) },
    },
    ...(kind === "cleared" ? { endsAt: said.planned_at } : { startsAt: said.planned_at }),
  };
}
