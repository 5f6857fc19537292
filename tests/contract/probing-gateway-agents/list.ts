/** All agents, as everybody sees them. */
import { describe, expect, test } from "bun:test";
import { AgentList } from "../../../apps/probing/gateway/agents/agent-list.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
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

    test("is asked of the database once by all who want it at the same time", async () => {
      const queries = async () => {
        const page = await (await gateway().ask(null, "/metrics")).text();
        return Number(
          /vantage_database_query_seconds_count\{query="agents_list"\} (\d+)/.exec(page)?.[1] ?? 0,
        );
      };
      // The first asks for the agents itself, for its gauges.
      await queries();
      const before = await queries();
      gateway().services.agents.changed();
      await Promise.all(Array.from({ length: 20 }, () => gateway().ask(null, "/api/agents")));
      expect((await queries()) - before).toBe(1);
    });

    test("an answer that was asked for before a change does not hide it", async () => {
      const { database } = gateway().services;
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const [first, second] = gates;
      let asked = 0;
      const slow: Database = {
        ...database,
        timed: async (name, ask) => {
          // By the order of the questions: of two connections, either may answer first.
          const gate = gates[asked++];
          const answer = await database.timed(name, ask);
          await gate?.promise;
          return answer;
        },
      };
      const list = new AgentList(slow);
      const old = list.read();
      list.changed();
      second?.resolve();
      const renewed = await list.read();
      first?.resolve();
      await old;
      expect(list.fresh).toBe(renewed);
    });

    test("each agent is counted by state", async () => {
      const page = await (await gateway().ask(null, "/metrics")).text();
      expect(page).toContain('vantage_gateway_agents{state="healthy"}');
      expect(page).toContain('vantage_gateway_agent_up{agent="placed"} 0');
      expect(page).toMatch(/vantage_gateway_agent_last_seen_seconds\{agent="placed"\} \d{10}/);
    });
  });
}
