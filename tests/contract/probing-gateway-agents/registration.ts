/** First contact, with an agent's own key and with enrolment keys. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call, listedAgent } from "./callers.ts";

export function registrationSuite(gateway: () => GatewayHome): void {
  describe("registration", () => {
    test("an id belongs to the secret that it registered with", async () => {
      const agent = await AgentCaller.create(gateway(), "owned");
      expect((await agent.register("first")).status).toBe(200);
      expect(await agent.register("second")).toMatchObject({ status: 409, body: { code: "agent_id_taken" } });
      expect((await agent.register("first")).status).toBe(200);
    });

    test("an enrolment key lets in as many agents as it says, each with a key of its own", async () => {
      const { body } = await admin(gateway(), "/enrolment-keys", { body: { label: "rack 1", uses: 2 } });
      const enrol = (id: string, secret = "s") =>
        call(gateway(), String(body.enrolment_key), "/agent-api/agent/register", { body: { id, secret } });
      const first = await enrol("enrolled-1");
      expect(first).toMatchObject({ status: 200, body: { id: "enrolled-1" } });
      const own = new AgentCaller(gateway(), "enrolled-1", String(first.body.agent_key));
      expect((await own.post("/health", { healthy: true })).status).toBe(200);
      expect((await enrol("enrolled-1", "other")).status).toBe(409);
      expect((await enrol("enrolled-2")).status).toBe(200);
      expect(await enrol("enrolled-3")).toMatchObject({ status: 401, body: { code: "used_up_key" } });
      const asAgent = new AgentCaller(gateway(), "enrolled-1", String(body.enrolment_key));
      expect(await asAgent.post("/health", { healthy: true })).toMatchObject({
        status: 401,
        body: { code: "enrolment_key", detail: expect.stringContaining('enrolment key ("rack 1") only') },
      });
    });

    test("an agent that has lost its key enrols again with its secret, and the lost key ends", async () => {
      const { body } = await admin(gateway(), "/enrolment-keys", { body: { label: "again", uses: 5 } });
      const enrol = async () => {
        const answer = { body: { id: "forgetful", secret: "s" } };
        const registered = await call(
          gateway(),
          String(body.enrolment_key),
          "/agent-api/agent/register",
          answer,
        );
        return new AgentCaller(gateway(), "forgetful", String(registered.body.agent_key));
      };
      const [lost, found] = [await enrol(), await enrol()];
      expect((await lost.post("/health", { healthy: true })).body.code).toBe("revoked_key");
      expect((await found.post("/health", { healthy: true })).status).toBe(200);
    });

    test("ten who use the last use of a key at once: one gets in", async () => {
      const { body } = await admin(gateway(), "/enrolment-keys", { body: { label: "race", uses: 1 } });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          call(gateway(), String(body.enrolment_key), "/agent-api/agent/register", {
            body: { id: `race-${i}`, secret: "s" },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    });

    test("an expired enrolment key, and one that was revoked, let nobody in", async () => {
      const expired = await admin(gateway(), "/enrolment-keys", {
        body: { label: "old", expires_at: "2020-01-01T00:00:00Z" },
      });
      const revoked = await admin(gateway(), "/enrolment-keys", { body: { label: "gone" } });
      await admin(gateway(), `/enrolment-keys/${revoked.body.key_id}`, { method: "DELETE" });
      const codes = [expired, revoked].map(async ({ body: { enrolment_key } }) => {
        const body = { id: "late", secret: "s" };
        return (await call(gateway(), String(enrolment_key), "/agent-api/agent/register", { body })).body
          .code;
      });
      expect(await Promise.all(codes)).toEqual(["expired_key", "unknown_key"]);
    });

    test("nobody enrols as an agent that an admin has made a key for, or as one that was retired", async () => {
      await AgentCaller.create(gateway(), "reserved");
      const retired = await AgentCaller.ready(gateway(), "retired");
      await admin(gateway(), "/agents/retired", { method: "DELETE" });
      const { body } = await admin(gateway(), "/enrolment-keys", { body: { label: "thief", uses: 5 } });
      for (const id of ["reserved", "retired"]) {
        const thief = { body: { id, secret: `secret of ${id}` } };
        expect(
          (await call(gateway(), String(body.enrolment_key), "/agent-api/agent/register", thief)).status,
        ).toBe(409);
      }
      expect((await retired.post("/health", { healthy: true })).body.code).toBe("revoked_key");
      expect(await listedAgent(gateway(), "retired")).toBeUndefined();
    });
  });
}
