/** A running measurement in a few lines that are redrawn: a bar for each agent. Pure. */
import { grouped, progressBar } from "../../../../lib/base/terminal/figures.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import { columnsOf, padded } from "../../../../lib/base/terminal/text.ts";
import type { MeasurementAgent, MeasurementStatus } from "../../../../lib/engines/gateway-client/answers.ts";
import { agentStatusOf, partSent, waitText } from "./measurement-columns.ts";

/** Agents shown one by one; a terminal has some 24 lines. */
const agentsShown = 16;

export function progressText({ agents }: MeasurementStatus): string {
  const ordered = [...agents].sort((a, b) => Number(isDone(a)) - Number(isDone(b)));
  const width = Math.max(...agents.map(({ agent_id }) => columnsOf(visible(agent_id))));
  const lines = ordered.slice(0, agentsShown).map((agent) => line(agent, width));
  const more = agents.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

function line(agent: MeasurementAgent, width: number): string {
  const { agent_id, sent_probes, expected_probes, received_replies, failed_probes, held_probes } = agent;
  const failed = failed_probes === 0 ? "" : `, ${grouped(failed_probes)} not sent`;
  const held = held_probes === 0 ? "" : `, ${grouped(held_probes)} held back for their destinations`;
  const waits = agent.held_by_host === null ? "" : `; ${visible(waitText(agent))}`;
  const sent = `${grouped(sent_probes)} of ${grouped(expected_probes)} sent`;
  const words = `${visible(agentStatusOf(agent))}: ${sent}, ${grouped(received_replies)} replies`;
  const figures = `${words}${failed}${held}${waits}`;
  return `${padded(visible(agent_id), width)}  ${progressBar(partSent(agent))}  ${figures}`;
}

function isDone(agent: MeasurementAgent): boolean {
  return !["queued", "running"].includes(agentStatusOf(agent));
}
