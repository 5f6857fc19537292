/** Source prefixes that an agent says it has, and what its operator has granted of them. */
import { describe, expect, test } from "bun:test";
import { grantEnrolled } from "../../../apps/probing/gateway/admin/enrolment-keys.ts";
import { type GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call, listedAgent } from "./callers.ts";

const own = { src_ipv4_prefix: "198.18.40.0/24", src_ipv6_prefix: "2001:db8:4000::/48" };
const world = { src_ipv4_prefix: "0.0.0.0/0", src_ipv6_prefix: "::/0" };

export function grantsSuite(gateway: () => GatewayHome): void {
  const granted = { granted_prefixes: Object.values(own) };
  const ready = async (id: string, more: object, ...config: object[]) => {
    const agent = await AgentCaller.create(gateway(), id, more);
    await agent.register();
    const answer = await agent.post("/config", config);
    await agent.post("/health", { healthy: true });
    return { agent, answer };
  };
  const shown = async (id: string) => (await admin(gateway(), `/agents/${id}`)).body;
  const grant = (id: string, ...granted_prefixes: string[]) =>
    admin(gateway(), `/agents/${id}`, { method: "PATCH", body: { granted_prefixes } });
  const submit = async (id: string, ip_address?: string) => {
    const body = { metadata: [{ id, ip_address }], probes: probeArrays(1) };
    const response = await gateway().submit("grant-user", body);
    return { status: response.status, text: await response.text() };
  };
  const userPrefixesAt = async (id: string) => {
    const { agents } = await gateway().json("grant-user", "/api/user/prefixes");
    const found = (agents as { agent_id: string; prefixes: object[] }[]).find((one) => one.agent_id === id);
    return found?.prefixes ?? [];
  };

  describe("what an agent may send from", () => {
    test("an agent that claims the world has nothing of it", async () => {
      const { agent, answer } = await ready("greedy", { granted_prefixes: [] }, { name: "main", ...world });
      expect(answer).toMatchObject({ status: 200, body: [{ src_ipv4_prefix: null, src_ipv6_prefix: null }] });
      expect(await shown("greedy")).toMatchObject({
        granted_prefixes: [],
        pending_prefixes: ["0.0.0.0/0", "::/0"],
        config: [{ src_ipv4_prefix: null, src_ipv6_prefix: null }],
      });
      expect(await listedAgent(gateway(), "greedy")).toMatchObject({ config: [{ src_ipv4_prefix: null }] });
      expect((await call(gateway(), null, "/source/9.9.9.9")).status).toBe(404);
      expect((await call(gateway(), null, "/source/2620:fe::9")).status).toBe(404);
      expect(await userPrefixesAt("greedy")).toEqual([]);
      expect(await submit("greedy", "9.9.9.9")).toMatchObject({ status: 403 });
      const chosen = await submit("greedy");
      expect(chosen.status).toBe(400);
      expect(chosen.text).toContain("source prefix 0.0.0.0/0 was not granted");
      expect((await agent.post("/health", { healthy: true })).body).toMatchObject({
        pending_prefixes: ["0.0.0.0/0", "::/0"],
      });
      expect(gateway().logged.join("\n")).toContain('"pending_prefixes":["0.0.0.0/0","::/0"]');
    });

    test("what was granted is used as before", async () => {
      const { agent, answer } = await ready("modest", granted, { name: "main", ...own });
      expect(answer.body).toMatchObject([own]);
      const { body } = await agent.post("/health", { healthy: true, details: {} });
      expect(body).toMatchObject({ pending_prefixes: [] });
      expect((await submit("modest")).status).toBe(200);
      expect((await submit("modest", "198.18.40.9")).status).toBe(200);
      expect((await call(gateway(), null, "/source/198.18.40.9")).status).toBe(200);
      expect(await userPrefixesAt("modest")).toHaveLength(1);
    });

    test("of a claim around a grant the grant is used, and no source is left to the agent", async () => {
      await ready("wide", granted, { name: "main", src_ipv4_prefix: "198.18.0.0/15" });
      expect(await shown("wide")).toMatchObject({
        config: [{ src_ipv4_prefix: own.src_ipv4_prefix }],
        pending_prefixes: ["198.18.0.0/15"],
      });
      expect((await submit("wide", "198.18.40.9")).status).toBe(200);
      expect((await submit("wide", "198.18.41.9")).status).toBe(403);
      expect((await submit("wide")).text).toContain("198.18.0.0/15 was not granted");
    });

    test("a second instance that waits for its grant holds up nobody at the first", async () => {
      await ready(
        "growing",
        granted,
        { name: "a", ...own },
        { name: "b", src_ipv4_prefix: "198.18.77.0/24" },
      );
      expect((await submit("growing")).status).toBe(200);
      expect((await submit("growing", "198.18.77.1")).status).toBe(403);
    });

    test("an admin finds who waits, grants it, and takes it back", async () => {
      const { agent } = await ready("waiting", { granted_prefixes: [] }, { name: "main", ...own });
      const waiting = async () =>
        ((await admin(gateway(), "/agents?pending=true&limit=1000")).body as unknown as { id: string }[])
          .map(({ id }) => id)
          .includes("waiting");
      expect(await waiting()).toBe(true);
      expect((await grant("waiting", ...Object.values(own))).body).toMatchObject({ pending_prefixes: [] });
      expect(await waiting()).toBe(false);
      expect(await listedAgent(gateway(), "waiting")).toMatchObject({ config: [own] });
      expect((await submit("waiting", "198.18.40.1")).status).toBe(200);
      await agent.post("/config", [{ name: "main", ...own }]);
      expect(await grant("waiting")).toMatchObject({
        body: { pending_prefixes: Object.values(own), config: [{ src_ipv4_prefix: null }] },
      });
      expect((await submit("waiting", "198.18.40.1")).status).toBe(403);
      expect((await grant("waiting", "198.18.40.1/24")).status).toBe(422);
      const { body } = await admin(gateway(), "/audit?subject=agent:waiting");
      const details = (body as unknown as { details: object }[]).map((entry) => entry.details);
      expect(details).toContainEqual({ granted_prefixes: Object.values(own) });
    });

    test("what an operator wants it to send from is granted with that", async () => {
      const { agent } = await ready("led", { granted_prefixes: [] }, { name: "main" });
      const desired = { main: { src_ipv6_prefix: own.src_ipv6_prefix } };
      await admin(gateway(), "/agents/led/desired", { method: "PUT", body: desired });
      expect((await agent.post("/config", [{ name: "main", ...own }])).body).toMatchObject([
        { src_ipv4_prefix: null, src_ipv6_prefix: own.src_ipv6_prefix },
      ]);
      await admin(gateway(), "/agents/led/desired", { method: "PUT", body: {} });
      expect(await shown("led")).toMatchObject({ config: [{ src_ipv6_prefix: null }] });
    });

    test("what the stack grants to its key, agents that enrolled with it before have too", async () => {
      const key = await admin(gateway(), "/enrolment-keys", { body: { label: "old stack" } });
      const registration = { body: { id: "at-home", secret: "s" } };
      const path = "/agent-api/agent/register";
      const { body } = await call(gateway(), String(key.body.enrolment_key), path, registration);
      const agent = new AgentCaller(gateway(), "at-home", String(body.agent_key));
      await agent.post("/config", [own]);
      const { database } = gateway().services;
      await grantEnrolled(database, { label: "old stack", grantedPrefixes: ["0.0.0.0/0", "::/0"] });
      expect(await shown("at-home")).toMatchObject({ config: [own], pending_prefixes: [] });
      expect((await shown("waiting")).granted_prefixes).toEqual([]);
    });

    test("an enrolment key grants to each agent that enrols, and enrolling again widens nothing", async () => {
      const enrol = async (granted_prefixes: string[]) => {
        const key = await admin(gateway(), "/enrolment-keys", { body: { label: "k", granted_prefixes } });
        expect(key.body).toMatchObject({ granted_prefixes });
        const registered = await call(
          gateway(),
          String(key.body.enrolment_key),
          "/agent-api/agent/register",
          {
            body: { id: "enrolling", secret: "s" },
          },
        );
        return new AgentCaller(gateway(), "enrolling", String(registered.body.agent_key));
      };
      const first = await enrol([own.src_ipv4_prefix]);
      expect((await first.post("/config", [own])).body).toMatchObject([{ ...own, src_ipv6_prefix: null }]);
      const again = await enrol(["0.0.0.0/0", "::/0"]);
      expect((await again.post("/config", [world])).body).toMatchObject([
        { src_ipv4_prefix: own.src_ipv4_prefix, src_ipv6_prefix: null },
      ]);
    });
  });
}
