/** The columns of measurements, and of the agents of one. Pure. */
import { grouped, progressBar } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import type { Measurement, MeasurementAgent } from "../../../../lib/engines/gateway-client/answers.ts";

export const measurementColumns: readonly Column<Measurement>[] = [
  { name: "measurement_id", head: "measurement", value: (one) => one.measurement_id },
  { name: "title", head: "what", value: (one) => one.title, cell: titleText },
  { name: "name", head: null, value: (one) => one.name },
  { name: "tags", head: "tags", value: (one) => one.tags, text: ({ tags }) => tags.join(" ") },
  { name: "note", head: null, value: (one) => one.note },
  { name: "origin", head: "by", value: (one) => one.origin, text: ({ origin }) => origin?.text ?? "" },
  { name: "folded_runs", head: null, value: (one) => one.folded_runs },
  { name: "status", head: "status", value: statusOf },
  { name: "agents", head: "agents", align: "right", value: (one) => one.total_agents, cell: agentsText },
  { name: "agents_complete", head: null, value: (one) => one.completed_agents },
  { name: "probes", head: "sent", align: "right", value: (one) => one.total_expected_probes, cell: sentText },
  { name: "sent_probes", head: null, value: (one) => one.total_sent_probes },
  {
    name: "started_at",
    head: "started (UTC)",
    value: (one) => one.started_at,
    cell: (one) => timeInWords(one.started_at),
  },
  {
    name: "last_updated",
    head: "updated",
    value: (one) => one.last_updated,
    cell: (one) => timeInWords(one.last_updated),
  },
  { name: "finished_early", head: null, value: (one) => one.finished_early },
];

export const measurementAgentColumns: readonly Column<MeasurementAgent>[] = [
  { name: "agent", head: "agent", value: (one) => one.agent_id },
  { name: "status", head: "status", value: agentStatusOf },
  { name: "progress", head: "", value: partSent, cell: (one) => progressBar(partSent(one)) },
  { name: "sent_probes", head: "sent", align: "right", value: (one) => one.sent_probes },
  { name: "expected_probes", head: "of", align: "right", value: (one) => one.expected_probes },
  { name: "received_replies", head: "replies", align: "right", value: (one) => one.received_replies },
  { name: "failed_probes", head: "failed", align: "right", value: (one) => one.failed_probes },
  { name: "held_probes", head: "held", align: "right", value: (one) => one.held_probes },
  { name: "updated_at", head: null, value: (one) => one.updated_at },
  { name: "held_by_host", head: null, value: (one) => one.held_by_host },
  { name: "error", head: "", value: (one) => one.error, cell: (one) => one.error ?? waitText(one) },
];

/** Also reads older gateways, which only report "complete" and "cancelled". */
export function statusOf({ status, measurement_cancelled, measurement_complete }: Measurement): string {
  if (status !== undefined) {
    return status;
  }
  if (measurement_cancelled) {
    return "cancelled";
  }
  return measurement_complete ? "complete" : "running";
}

/** Nothing more will be sent. */
export function isEnded(measurement: Measurement): boolean {
  return !["queued", "running"].includes(statusOf(measurement));
}

export function agentStatusOf({ status, cancelled, is_complete, sent_probes }: MeasurementAgent): string {
  if (status !== undefined) {
    return status;
  }
  if (cancelled) {
    return "cancelled";
  }
  const underway = sent_probes === 0 ? "queued" : "running";
  return is_complete ? "complete" : underway;
}

/** Why it waits; empty = it does not wait for its agent's host. */
export function waitText({ held_by_host }: MeasurementAgent): string {
  return held_by_host === null ? "" : `waiting: the agent is ${held_by_host}`;
}

/** 0 to 1. */
export function partSent({ sent_probes, expected_probes }: MeasurementAgent): number {
  return expected_probes === 0 ? 1 : Math.min(1, sent_probes / expected_probes);
}

/** Marks a run that represents others of its campaign. */
function titleText({ title, folded_runs: runs }: Measurement): string {
  const more = runs === null || runs < 2 ? "" : ` (and ${grouped(runs - 1)} more of its campaign)`;
  return `${title ?? ""}${more}`;
}

function agentsText({ total_agents, completed_agents }: Measurement): string {
  return `${completed_agents}/${total_agents}`;
}

function sentText({ total_sent_probes, total_expected_probes }: Measurement): string {
  return `${grouped(total_sent_probes)} of ${grouped(total_expected_probes)}`;
}
