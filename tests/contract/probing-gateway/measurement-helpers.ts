/** Small measurements at a gateway, and reports of agents as the agent API would leave them. */
import { expect } from "bun:test";
import { ProgressReports } from "../../../apps/probing/gateway/agents/progress.ts";
import { type GatewayHome, probeText } from "./gateway-home.ts";

/** Submits for these agents (a comma list); resolves to the measurement's id. */
export async function submitted(
  gateway: GatewayHome,
  user: string,
  agents: string,
  probes = 10,
): Promise<string> {
  const query = `?agents=${agents}`;
  const response = await gateway.submit(user, probeText(probes), { type: "text/csv", query });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

export function cancel(gateway: GatewayHome, user: string, id: string) {
  return gateway.json(user, `/api/measurement/${id}/cancel`, { method: "POST", body: "{}" });
}

export async function report(
  gateway: GatewayHome,
  id: string,
  agent: string,
  { sent, status = "running" }: { readonly sent: number; readonly status?: string },
): Promise<void> {
  await gateway.services.database.sql`
    UPDATE measurement_agents SET sent_probes = ${sent}, status = ${status}
    WHERE measurement_id = ${id} AND agent_id = ${agent}`;
}

/** As a Vantage agent does when it has heard that a measurement has ended: nothing more of it leaves. */
export async function stopped(gateway: GatewayHome, ids: readonly string[], agent: string, sent = 0) {
  const word = {
    is_complete: false,
    received_replies: 0,
    failed_probes: 0,
    error: null,
    held_probes: 0,
    is_stopped: true,
  };
  const reports = ids.map((measurement_id) => ({ measurement_id, sent_probes: sent, ...word }));
  return new ProgressReports(gateway.services.database).take(agent, reports);
}

export async function eventually(check: () => Promise<void>): Promise<void> {
  for (const giveUpAtMs = performance.now() + 240_000; ; ) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > giveUpAtMs) {
        throw error;
      }
      await Bun.sleep(20);
    }
  }
}
