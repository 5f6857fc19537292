/** Reports how a measurement ended. */
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { MeasurementStatus } from "../../../../lib/engines/gateway-client/answers.ts";
import { agentStatusOf } from "./measurement-columns.ts";

/** Reports the agents that did not finish; the exit code is partial when some did, failure when none did. */
export function tellOutcome(session: GatewaySession, status: MeasurementStatus): ExitCode {
  const unfinished = unfinishedAgents(status);
  for (const line of unfinished) {
    session.note(line);
  }
  if (unfinished.length === 0) {
    return exitCodes.ok;
  }
  return unfinished.length === status.agents.length ? exitCodes.failure : exitCodes.partial;
}

/** Agents that ended without sending everything. */
function unfinishedAgents({ agents }: MeasurementStatus): string[] {
  return agents
    .filter((agent) => !["queued", "running", "complete"].includes(agentStatusOf(agent)))
    .map(
      (agent) => `${agent.agent_id} ${agentStatusOf(agent)}${agent.error === null ? "" : `: ${agent.error}`}`,
    );
}
