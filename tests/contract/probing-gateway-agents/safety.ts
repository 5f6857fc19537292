/** What keeps others safe: kill switch, blocklists, paces. */
import { describe, expect, test } from "bun:test";
import { type GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin } from "./callers.ts";

export function safetySuite(gateway: () => GatewayHome): void {
  const submitTo = (destination: string, agent: string) =>
    gateway().submit("careful", {
      metadata: [{ id: agent }],
      probes: [[destination, 24_000, 33_434, 5, "udp"]],
    });

  describe("the kill switch", () => {
    test("reaches agents with their next report, refuses submissions, and is lifted", async () => {
      const agent = await AgentCaller.ready(gateway(), "killed");
      const killed = async () => (await agent.post("/health", { healthy: true })).body.killed;
      expect(await killed()).toBe(false);
      const on = await admin(gateway(), "/kill-switch", {
        method: "PUT",
        body: { reason: "a mistake in a campaign" },
      });
      expect(on.body).toMatchObject({
        killed_reason: "a mistake in a campaign",
        killed_at: expect.any(String),
      });
      expect(await killed()).toBe(true);
      const refused = await gateway().submit("careful", {
        metadata: [{ id: "killed" }],
        probes: probeArrays(1),
      });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await refused.json()).toMatchObject({
        code: "platform_stopped",
        message: "All probing is stopped: a mistake in a campaign",
      });
      const off = await admin(gateway(), "/kill-switch", { method: "DELETE" });
      expect(off.body).toEqual({ killed_at: null, killed_reason: null });
      expect(await killed()).toBe(false);
      const { body } = await admin(gateway(), "/audit?subject=platform");
      expect(body).toMatchObject([{ action: "platform.resume" }, { action: "platform.kill" }]);
    });
  });

  describe("the blocklist", () => {
    test("refuses submissions, reaches agents under a new version, and lets go again", async () => {
      const agent = await AgentCaller.ready(gateway(), "blocked-agent");
      const version = async () =>
        (await agent.post("/health", { healthy: true, details: {} })).body.blocklist_version;
      const before = await version();
      expect((await submitTo("203.0.113.9", agent.id)).status).toBe(200);
      await admin(gateway(), "/blocklist", { body: { prefix: "203.0.113.0/28", reason: "asked for" } });
      const refused = await submitTo("203.0.113.9", agent.id);
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { code: "destination_blocked", first_blocked_index: 0, blocked_probes: 1 },
      ]);
      expect((await submitTo("203.0.113.16", agent.id)).status).toBe(200);
      const during = await version();
      expect(during).not.toBe(before);
      const list = await agent.get("/blocklist");
      expect(list.body).toEqual({ version: during, blocked: ["203.0.113.0/28"], allowed: null });
      await admin(gateway(), "/blocklist/203.0.113.0%2F28", { method: "DELETE" });
      expect((await submitTo("203.0.113.9", agent.id)).status).toBe(200);
      expect(await version()).toBe(before);
    });
  });
}
