/** Metrics of agents: their number in each state, and each one's last report. */
import type { Sight } from "../../../../lib/engines/observe/sight.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import type { AgentRow } from "./agent-row.ts";

const states = ["healthy", "unhealthy", "paused", "offline"] as const;

/** Read at each scrape; retired agents disappear. */
export function addAgentGauges(sight: Sight, agents: Pick<AgentDirectory, "fresh" | "read">): void {
  const part = "agents";
  const read = async () => (agents.fresh ?? (await agents.read())).rows;
  const ofEach = (value: (row: AgentRow) => number) => async () =>
    (await read()).map((row) => ({ labels: { agent: row.agent_id }, value: value(row) }));
  sight.add({
    ...{ part, name: "vantage_gateway_agents", labelNames: ["state"] },
    help: "Registered agents by state",
    async read() {
      const found = (await read()).map(stateOf);
      return states.map((state) => ({
        labels: { state },
        value: found.filter((one) => one === state).length,
      }));
    },
  });
  sight.add({
    ...{ part, name: "vantage_gateway_agent_up", labelNames: ["agent"] },
    help: "1 = the agent has recently reported that it is healthy",
    read: ofEach((row) => (row.is_online && row.healthy === true ? 1 : 0)),
  });
  sight.add({
    ...{ part, name: "vantage_gateway_agent_last_seen_seconds", labelNames: ["agent"] },
    help: "Time of an agent's last request, in seconds since the epoch",
    read: ofEach((row) => row.last_seen_at.getTime() / 1000),
  });
}

function stateOf(row: AgentRow): (typeof states)[number] {
  if (!row.is_online) {
    return "offline";
  }
  return row.paused || row.held_by_host !== null ? "paused" : row.healthy === true ? "healthy" : "unhealthy";
}
