/** Metrics of agents: their number in each state, and whether and when each has reported. */
import { Gauge, type Registry } from "prom-client";
import type { AgentDirectory } from "./agent-directory.ts";
import type { AgentRow } from "./agent-row.ts";

const states = ["healthy", "unhealthy", "paused", "offline"] as const;

/** Read at each scrape; retired agents disappear. */
export function addAgentGauges(registry: Registry, agents: Pick<AgentDirectory, "fresh" | "read">): void {
  const registers = [registry];
  const read = async () => (agents.fresh ?? (await agents.read())).rows;
  new Gauge({
    name: "vantage_gateway_agents",
    help: "Registered agents by state",
    labelNames: ["state"],
    registers,
    async collect() {
      const rows = await read();
      for (const state of states) {
        this.set({ state }, rows.filter((row) => stateOf(row) === state).length);
      }
    },
  });
  new Gauge({
    name: "vantage_gateway_agent_up",
    help: "1 = the agent has recently reported that it is healthy",
    labelNames: ["agent"],
    registers,
    async collect() {
      this.reset();
      for (const row of await read()) {
        this.set({ agent: row.agent_id }, row.is_online && row.healthy === true ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "vantage_gateway_agent_last_seen_seconds",
    help: "Time of an agent's last request, in seconds since the epoch",
    labelNames: ["agent"],
    registers,
    async collect() {
      this.reset();
      for (const row of await read()) {
        this.set({ agent: row.agent_id }, row.last_seen_at.getTime() / 1000);
      }
    },
  });
}

function stateOf(row: AgentRow): (typeof states)[number] {
  if (!row.is_online) {
    return "offline";
  }
  return row.paused ? "paused" : row.healthy === true ? "healthy" : "unhealthy";
}
