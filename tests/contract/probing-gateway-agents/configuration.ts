/** What agents have in force, and what operators want of them. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, listedAgent } from "./callers.ts";

export function configurationSuite(gateway: () => GatewayHome): void {
  describe("configuration", () => {
    test.each([
      ["no list", { name: "x" }],
      ["an invalid prefix", [{ src_ipv6_prefix: "2001:db8::" }]],
      ["a rate below zero", [{ probing_rate: -1 }]],
      ["a name with a comma", [{ name: "a,b" }]],
      ["a TTL that no packet has", [{ max_ttl: 256 }]],
      ["more instances than an agent has", Array(257).fill({})],
    ])("%s is refused", async (_, config) => {
      const agent = await AgentCaller.ready(gateway(), `config-${crypto.randomUUID()}`);
      expect(await agent.post("/config", config)).toMatchObject({
        status: 422,
        body: { code: "invalid_body" },
      });
    });

    test("blank prefixes and host bits are taken, as existing files have them", async () => {
      const agent = await AgentCaller.ready(gateway(), "sloppy");
      const config = [{ src_ipv4_prefix: "", src_ipv6_prefix: "2001:db8::1/48" }];
      expect(await agent.post("/config", config)).toMatchObject({
        status: 200,
        body: [{ src_ipv4_prefix: null, src_ipv6_prefix: "2001:db8::1/48" }],
      });
    });

    test("only a new configuration is recorded", async () => {
      const agent = await AgentCaller.ready(gateway(), "steady");
      const config = [{ name: "main", probing_rate: 7 }];
      for (const _ of [1, 2, 3]) {
        await agent.post("/config", config);
      }
      const { body } = await admin(gateway(), "/audit?subject=agent:steady");
      const changes = (body as unknown as { action: string }[]).filter(
        ({ action }) => action === "agent.config",
      );
      expect(changes).toHaveLength(2);
    });

    test("what an operator wants reaches the agent, with a version that grows", async () => {
      const agent = await AgentCaller.ready(gateway(), "obedient");
      const before = (await agent.post("/health", { healthy: true })).body;
      expect(before).toMatchObject({ config_version: 0, desired: {}, paused: false });
      const desired = {
        main: { probing_rate: 50, paused: true, src_ipv6_prefix: "2001:db8:7::/48", src_ipv4_prefix: null },
      };
      expect(
        (await admin(gateway(), "/agents/obedient/desired", { method: "PUT", body: desired })).status,
      ).toBe(200);
      await admin(gateway(), "/agents/obedient", { method: "PATCH", body: { paused: true } });
      const after = (await agent.post("/health", { healthy: true })).body;
      expect(after).toMatchObject({ config_version: 1, desired, paused: true });
      expect(await listedAgent(gateway(), "obedient")).toMatchObject({ paused: true });
      await admin(gateway(), "/agents/obedient/desired", { method: "PUT", body: {} });
      expect((await agent.post("/health", { healthy: true })).body).toMatchObject({
        config_version: 2,
        desired: {},
      });
    });
  });
}
