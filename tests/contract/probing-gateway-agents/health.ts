/** What agents say of themselves, and when they count as offline. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, call } from "./callers.ts";

export function healthSuite(gateway: () => GatewayHome): void {
  const sql = () => gateway().services.database.sql;
  describe("health", () => {
    test("an agent is offline after three missed reports of its own interval", async () => {
      const agent = await AgentCaller.ready(gateway(), "sleepy");
      await agent.post("/health", {
        healthy: true,
        message: "fine",
        details: { report_interval_ms: 1_000_000 },
      });
      const missed = async (seconds: number) => {
        await sql()`
          UPDATE agents SET health_received_at = now() - ${seconds} * interval '1 second' WHERE agent_id = 'sleepy'`;
        return agent.seen();
      };
      expect(await missed(2990)).toMatchObject({ online: true, health: { healthy: true, message: "fine" } });
      expect(await missed(3010)).toMatchObject({ online: false, health: { healthy: false } });
      await agent.post("/health", { healthy: true });
      expect((await missed(80)).online).toBe(true);
      expect((await missed(100)).online).toBe(false);
    });

    test("what an agent says of itself is kept, and bad words are refused", async () => {
      const agent = await AgentCaller.ready(gateway(), "talkative");
      const details = {
        version: "1.2.3",
        report_interval_ms: 1000,
        capture: { state: "degraded", received: 10, dropped: 1 },
        queues: [{ name: "probe ring main", depth: 3, depth_max: 100 }],
        drops: { refused_foreign: 2 },
        clock: { offset_ms: -1.5, steps: 0 },
        broker: { readable: true, writable: false, lag_records: 7, spool_bytes: 0 },
        refused: [{ instance: "main", key: "probing_rate", reason: "above the interface's rate" }],
      };
      await agent.post("/health", { healthy: false, message: "capture loses packets", details });
      const { body } = await call(gateway(), null, "/api/agent/talkative/health");
      expect(body).toMatchObject({ healthy: false, message: "capture loses packets", details });
      const bad = [
        {},
        { healthy: "yes" },
        { healthy: true, last_check: "yesterday" },
        { healthy: true, last_check: "0000-01-01T00:00:00Z" },
        { healthy: true, message: "nul \0" },
        { healthy: true, message: "\ud800" },
        { healthy: true, message: "x".repeat(1001) },
        { healthy: true, details: { report_interval_ms: 0 } },
        { healthy: true, details: { drops: { "nul \0": 1 } } },
        { healthy: true, details: { queues: [{ name: "q", depth: -1, depth_max: 0 }] } },
        [],
        null,
      ];
      const answers = await Promise.all(bad.map((report) => agent.post("/health", report)));
      expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
        bad.map(() => [422, "invalid_body"]),
      );
    });

    test("an agent that has a key but never registered is unknown", async () => {
      const agent = await AgentCaller.create(gateway(), "early");
      const answers = [await agent.post("/health", { healthy: true }), await agent.post("/config", [])];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [404, "unknown_agent"]),
      );
    });
  });
}
