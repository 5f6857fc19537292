/** How a measurement ended, for whoever waited for it. */
import { exitCodes } from "../failure.ts";
import type { MeasurementStatus } from "./answers.ts";
import { agentStatusOf } from "./measurement-columns.ts";
import type { Session } from "./session.ts";

/** Says which agents did not finish; the exit code is partial when some did, failure when none did. */
export function tellOutcome(session: Session, status: MeasurementStatus): number {
  const unfinished = unfinishedAgents(status);
  for (const line of unfinished) {
    session.note(line);
  }
  if (unfinished.length === 0) {
    return exitCodes.ok;
  }
  return unfinished.length === status.agents.length ? exitCodes.failure : exitCodes.partial;
}

/** Agents that ended otherwise than by sending everything. */
function unfinishedAgents({ agents }: MeasurementStatus): string[] {
  return agents
    .filter((agent) => !["queued", "running", "complete"].includes(agentStatusOf(agent)))
    .map(
      (agent) => `${agent.agent_id} ${agentStatusOf(agent)}${agent.error === null ? "" : `: ${agent.error}`}`,
    );
}
