/** All agents, as everybody sees them. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, listedAgent } from "./callers.ts";

export function listSuite(gateway: () => GatewayHome): void {
  const sql = () => gateway().services.database.sql;
  describe("the list", () => {
    test("is the same bytes while nothing changes, and says so", async () => {
      await sql()`UPDATE agents SET report_interval_ms = 3600000`;
      gateway().services.agents.changed();
      const first = await gateway().ask(null, "/api/agents");
      const etag = first.headers.get("etag") ?? "";
      const again = await gateway().ask(null, "/api/agents", { headers: { "if-none-match": etag } });
      expect([first.status, again.status, await again.text()]).toEqual([200, 304, ""]);
    });

    test("holds location, ASN and tags, public", async () => {
      const agent = await AgentCaller.create(gateway(), "placed", {
        location: "Paris, FR",
        asn: 64496,
        tags: ["anycast"],
      });
      await agent.register();
      expect(await listedAgent(gateway(), "placed")).toMatchObject({
        location: "Paris, FR",
        asn: 64496,
        tags: ["anycast"],
        online: false,
      });
    });

    test("each agent is counted by state", async () => {
      const page = await (await gateway().ask(null, "/metrics")).text();
      expect(page).toContain('vantage_gateway_agents{state="healthy"}');
      expect(page).toContain('vantage_gateway_agent_up{agent="placed"} 0');
      expect(page).toMatch(/vantage_gateway_agent_last_seen_seconds\{agent="placed"\} \d{10}/);
    });
  });
}
