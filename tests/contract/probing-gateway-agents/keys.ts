/** Whose key opens what. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call } from "./callers.ts";

export function keysSuite(gateway: () => GatewayHome): void {
  describe("keys", () => {
    test.each([
      ["no key", null, 401, "missing_authorization"],
      ["a key that nobody made", "vantage_nobody", 401, "unknown_key"],
    ] as const)("%s is refused on every path", async (_, key, status, code) => {
      const paths = ["config", "health", "measurement/0/status", "measurements/status"].map(
        (path) => `agent/x/${path}`,
      );
      for (const path of [...paths, "agent/register"]) {
        const body = path.endsWith("register") ? { id: "x", secret: "y" } : {};
        const answer = await call(gateway(), key, `/agent-api/${path}`, { body });
        expect({ path, status: answer.status, code: answer.body.code }).toEqual({ path, status, code });
      }
      expect((await call(gateway(), key, "/agent-api/agent/x/blocklist")).status).toBe(status);
    });

    test("a header without a bearer key is malformed", async () => {
      const headers = { authorization: "Basic abc" };
      const answer = await call(gateway(), null, "/agent-api/agent/x/health", { body: {}, headers });
      expect(answer).toMatchObject({ status: 401, body: { code: "malformed_authorization" } });
    });

    test("agent A may not speak for agent B, nor register as it", async () => {
      const [a, b] = [await AgentCaller.ready(gateway(), "a"), await AgentCaller.ready(gateway(), "b")];
      const stranger = new AgentCaller(gateway(), b.id, a.key);
      const answers = [
        await stranger.post("/health", { healthy: false }),
        await stranger.post("/config", []),
        await stranger.post(`/measurement/${crypto.randomUUID()}/status`, {
          sent_probes: 1,
          is_complete: true,
        }),
        await stranger.post("/measurements/status", []),
        await stranger.get("/blocklist"),
        await stranger.register(),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [403, "wrong_agent"]),
      );
      expect((await b.seen()).health).toMatchObject({ healthy: true });
    });

    test("a rotated key works beside the old one, until that is revoked", async () => {
      const agent = await AgentCaller.ready(gateway(), "rotating");
      const made = await admin(gateway(), "/agents/rotating/keys", { body: {} });
      expect(made.status).toBe(201);
      const renewed = new AgentCaller(gateway(), agent.id, String(made.body.agent_key));
      const healthy = { healthy: true };
      expect([
        (await agent.post("/health", healthy)).status,
        (await renewed.post("/health", healthy)).status,
      ]).toEqual([200, 200]);
      const [oldest] = made.body.keys as { key_id: string }[];
      await admin(gateway(), `/agents/rotating/keys/${oldest?.key_id}`, { method: "DELETE" });
      expect(await agent.post("/health", healthy)).toMatchObject({
        status: 401,
        body: { code: "revoked_key" },
      });
      expect((await renewed.post("/health", healthy)).status).toBe(200);
      await admin(gateway(), "/agents/rotating/keys", { body: { revoke_others: true } });
      expect((await renewed.post("/health", healthy)).body.code).toBe("revoked_key");
    });

    test("failures are counted by their code", async () => {
      const page = await (await gateway().ask(null, "/metrics")).text();
      for (const code of [
        "missing_authorization",
        "unknown_key",
        "wrong_agent",
        "revoked_key",
        "malformed_authorization",
      ]) {
        expect(page).toContain(`vantage_gateway_authentication_failures_total{code="${code}"}`);
      }
    });
  });
}
