/** An agent of another make, which sends what it always has. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, call, listedAgent } from "./callers.ts";

export function existingAgentSuite(gateway: () => GatewayHome): void {
  describe("an existing agent", () => {
    test("finds itself unknown, registers, posts config and health, and repeats that each 30 s", async () => {
      const agent = await AgentCaller.create(gateway(), "existing");
      const path = "/api/agent/existing";
      expect((await call(gateway(), agent.key, path)).status).toBe(404);
      expect(await listedAgent(gateway(), "existing")).toBeUndefined();
      expect(await agent.register()).toMatchObject({
        status: 200,
        body: { id: "existing", config: null, health: null },
      });
      expect((await agent.register()).status).toBe(200);
      const instance = {
        name: "anycast",
        src_ipv6_prefix: "2001:db8:1::/48",
        integrity_check: true,
        probing_rate: 500,
      };
      const config = await agent.post("/config", [instance, {}]);
      expect(config).toMatchObject({
        status: 200,
        body: [
          { ...instance, batch_size: 1000, instance_id: 0, dry_run: false, min_ttl: null, interface: "eth0" },
          {
            name: null,
            packets: 10_000,
            probing_rate: 1000,
            rate_limiting_method: "None",
            src_ipv4_prefix: null,
          },
        ],
      });
      const last_check = "2026-01-31T12:00:00.123456789+00:00";
      const health = await agent.post("/health", { healthy: true, last_check, message: null });
      expect(health).toMatchObject({
        status: 200,
        body: {
          healthy: true,
          last_check: "2026-01-31T12:00:00.123Z",
          message: null,
          killed: false,
          cancelled: [],
        },
      });
      expect(await listedAgent(gateway(), "existing")).toMatchObject({
        online: true,
        health: { healthy: true },
        config: [instance, {}],
      });
      expect((await call(gateway(), null, `${path}/config`)).body).toMatchObject([instance, {}]);
      expect((await call(gateway(), null, `${path}/health`)).body).toMatchObject({
        healthy: true,
        message: null,
      });
    });

    test("shows neither secret nor key to anybody", async () => {
      const agent = await AgentCaller.ready(gateway(), "discreet");
      const texts = [
        JSON.stringify(await agent.seen()),
        JSON.stringify(await listedAgent(gateway(), "discreet")),
      ];
      expect(texts.some((text) => text.includes("secret of") || text.includes(agent.key))).toBe(false);
    });

    test("differs from one without config and health", async () => {
      const agent = await AgentCaller.create(gateway(), "bare");
      await agent.register();
      const codes = ["/config", "/health"].map(
        async (path) => (await call(gateway(), null, `/api/agent/bare${path}`)).body.code,
      );
      expect(await Promise.all(codes)).toEqual(["no_agent_config", "no_agent_health"]);
    });
  });
}
