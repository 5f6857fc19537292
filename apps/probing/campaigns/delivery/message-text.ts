/** A message about alerts as people read it: a subject, and lines of text. */

/** One alert of a message, or the whole message where it is about one. */
export interface AlertSaid {
  readonly kind?: unknown;
  readonly alert_id?: unknown;
  readonly detector?: unknown;
  readonly agent?: unknown;
  readonly destination?: unknown;
  readonly reason?: unknown;
  readonly value?: unknown;
  readonly threshold?: unknown;
  readonly follow_up?: unknown;
  readonly follow_up_id?: unknown;
  readonly follow_up_reason?: unknown;
}

/** As `alert_deliveries.body` has it: docs/measure/campaigns.md, "Deliveries". */
export interface MessageSaid extends AlertSaid {
  readonly id?: unknown;
  readonly campaign_id?: unknown;
  readonly campaign?: unknown;
  readonly run?: unknown;
  readonly planned_at?: unknown;
  readonly alerts?: readonly AlertSaid[];
  readonly raised?: unknown;
  readonly cleared?: unknown;
  readonly omitted?: unknown;
}

export function alertsOf(said: MessageSaid): readonly AlertSaid[] {
  return said.alerts ?? [said];
}

/** `path watch: loss raised` */
export function subjectOf(said: MessageSaid): string {
  const what =
    said.kind === "digest"
      ? `${said.raised} alerts raised, ${said.cleared} cleared`
      : `${said.detector} ${said.kind}`;
  return `${said.campaign}: ${what}`;
}

/** `loss raised: from west to 192.0.2.1`; of a route, without an agent. */
export function headOf({ kind, detector, agent, destination }: AlertSaid): string {
  const from = agent === "" ? "" : ` from ${agent}`;
  const to = destination === "" || destination === undefined ? "" : ` to ${destination}`;
  return `${detector} ${kind}:${from}${to}`;
}

/** Lines about one alert. */
export function linesOf(alert: AlertSaid): string[] {
  return [headOf(alert), String(alert.reason ?? ""), ...followUpOf(alert)];
}

function followUpOf({ follow_up: measure, follow_up_id: id, follow_up_reason: reason }: AlertSaid): string[] {
  if (typeof id !== "string") {
    return typeof reason === "string" ? [`no follow-up: ${reason}`] : [];
  }
  return [`follow-up: ${measure === "discover" ? `vantage discover show ${id}` : `vantage replies ${id}`}`];
}

/** A line about alerts that a digest has no room for; null = it has all. */
export function restOf({ omitted }: MessageSaid): string | null {
  const count = Number(omitted ?? 0);
  return count > 0 ? `and ${count} more: vantage alerts` : null;
}
