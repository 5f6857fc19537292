/** How far agents come with measurements, and what they must stop. */
import { describe, expect, test } from "bun:test";
import { type GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller } from "./callers.ts";

export function progressSuite(gateway: () => GatewayHome): void {
  const sql = () => gateway().services.database.sql;
  describe("measurements", () => {
    const submit = async (user: string, agents: readonly string[], probes = 10): Promise<string> => {
      const body = { metadata: agents.map((id) => ({ id })), probes: probeArrays(probes) };
      const answer = await gateway().submit(user, body);
      const { id } = (await answer.json()) as { id: string };
      return id;
    };
    const status = (user: string, id: string) => gateway().json(user, `/api/measurements/${id}/status`);

    test("progress runs it, completes it, and never goes backwards", async () => {
      const agent = await AgentCaller.ready(gateway(), "diligent");
      const id = await submit("diligent user", ["diligent"]);
      const report = (sent_probes: number, is_complete = false) =>
        agent.post(`/measurement/${id}/status`, { sent_probes, is_complete });
      expect(await report(4)).toMatchObject({
        status: 200,
        body: {
          measurement_id: id,
          agent_id: "diligent",
          sent_probes: 4,
          is_complete: false,
          status: "running",
        },
      });
      expect((await report(3)).body.sent_probes).toBe(4);
      expect(await status("diligent user", id)).toMatchObject({
        measurement_complete: false,
        total_sent_probes: 4,
      });
      expect((await report(10, true)).body).toMatchObject({ is_complete: true, status: "complete" });
      expect((await report(2)).body).toMatchObject({ sent_probes: 10, is_complete: true });
      expect(await status("diligent user", id)).toMatchObject({
        measurement_complete: true,
        completed_agents: 1,
      });
    });

    test("a failed part gives its unsent probes back, once", async () => {
      const agent = await AgentCaller.ready(gateway(), "failing");
      const id = await submit("failing user", ["failing"]);
      const failure = { measurement_id: id, sent_probes: 3, is_complete: false, error: "no such source" };
      const { body } = await agent.post("/measurements/status", [failure, failure]);
      expect(body).toMatchObject([{ status: "failed" }, { status: "failed" }]);
      await agent.post("/measurements/status", [failure]);
      expect((await gateway().json("failing user", "/api/user/me")).used).toBe(3);
      const { agents } = await status("failing user", id);
      expect(agents).toMatchObject([{ sent_probes: 3, is_complete: false }]);
    });

    test("a cancelled measurement is named to those who must stop, and to nobody else", async () => {
      const [agent, other] = [
        await AgentCaller.ready(gateway(), "stopping"),
        await AgentCaller.ready(gateway(), "other"),
      ];
      const id = await submit("stopping user", ["stopping"]);
      const cancelled = async (who: AgentCaller) =>
        (await who.post("/health", { healthy: true })).body.cancelled;
      expect(await cancelled(agent)).toEqual([]);
      await gateway().ask("stopping user", `/api/measurement/${id}/cancel`, { method: "POST" });
      expect([await cancelled(agent), await cancelled(other)]).toEqual([[id], []]);
      const late = await agent.post(`/measurement/${id}/status`, { sent_probes: 10, is_complete: true });
      expect(late.body).toMatchObject({ status: "cancelled", is_complete: false, sent_probes: 10 });
      await sql()`UPDATE measurements SET not_after = now() - interval '11 minutes' WHERE measurement_id = ${id}`;
      expect(await cancelled(agent)).toEqual([]);
    });

    test("what had left before a measurement was cancelled is charged when the agent says so", async () => {
      const agent = await AgentCaller.ready(gateway(), "late");
      const id = await submit("late user", ["late"]);
      const used = async () => (await gateway().json("late user", "/api/user/me")).used;
      await agent.post(`/measurement/${id}/status`, { sent_probes: 2, is_complete: false });
      await gateway().ask("late user", `/api/measurement/${id}/cancel`, { method: "POST" });
      // A count alone may be from before the agent heard of it.
      for (const [sent_probes, is_stopped, charged] of [
        [2, false, 10],
        [4, true, 4],
        [7, false, 7],
        [5, true, 7],
        [10, false, 10],
      ] as const) {
        await agent.post(`/measurement/${id}/status`, { sent_probes, is_complete: false, is_stopped });
        expect(await used()).toBe(charged);
      }
    });

    test("a thousand reports in one request, in order, unknown ones named", async () => {
      const agent = await AgentCaller.ready(gateway(), "busy");
      const id = await submit("busy user", ["busy"]);
      const strangers = Array.from({ length: 999 }, () => crypto.randomUUID());
      const reports = [...strangers, id].map((measurement_id) => ({
        measurement_id,
        sent_probes: 1,
        is_complete: false,
      }));
      const { body } = await agent.post("/measurements/status", reports);
      const answers = body as unknown as { measurement_id: string; status: string }[];
      expect(answers.map(({ measurement_id }) => measurement_id)).toEqual([...strangers, id]);
      expect(answers.map((answer) => answer.status)).toEqual([...strangers.map(() => "unknown"), "running"]);
      expect((await agent.post("/measurements/status", [...reports, reports[0]])).status).toBe(422);
    });

    test("an agent reports for its own part only", async () => {
      const [mine, yours] = [
        await AgentCaller.ready(gateway(), "mine"),
        await AgentCaller.ready(gateway(), "yours"),
      ];
      const id = await submit("shared user", ["mine"]);
      const report = { sent_probes: 5, is_complete: true };
      const message = "Measurement tracking entry not found for this agent";
      expect(await yours.post(`/measurement/${id}/status`, report)).toMatchObject({
        status: 404,
        body: { message },
      });
      const unnamed = await mine.post("/measurement/not-a-uuid/status", report);
      expect(unnamed).toMatchObject({ status: 400, body: { message: "Invalid measurement ID format" } });
      expect(
        (await mine.post(`/measurement/${id}/status`, { sent_probes: -1, is_complete: true })).status,
      ).toBe(422);
      expect(await status("shared user", id)).toMatchObject({ total_sent_probes: 0 });
    });

    test("two agents that finish at once end the whole", async () => {
      const pair = [await AgentCaller.ready(gateway(), "left"), await AgentCaller.ready(gateway(), "right")];
      const ids = await Promise.all(Array.from({ length: 5 }, () => submit("pair user", ["left", "right"])));
      const report = (order: readonly string[]) =>
        order.map((measurement_id) => ({ measurement_id, sent_probes: 10, is_complete: true }));
      const [left, right] = pair;
      await Promise.all([
        left?.post("/measurements/status", report(ids)),
        right?.post("/measurements/status", report([...ids].reverse())),
      ]);
      const ended =
        await sql()`SELECT FROM measurements WHERE measurement_id = ANY(${ids}::uuid[]) AND ended_at IS NOT NULL`;
      expect(ended).toHaveLength(ids.length);
    });
  });
}
