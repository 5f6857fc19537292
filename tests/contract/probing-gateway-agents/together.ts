/** Reports that come at once share statements: each agent is answered for itself, and nobody waits for another. */
import { describe, expect, test } from "bun:test";
import { type GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller } from "./callers.ts";

const details = { report_interval_ms: 1000 };

export function togetherSuite(gateway: () => GatewayHome): void {
  const database = () => gateway().services.database;
  const submit = async (user: string, agents: readonly AgentCaller[]): Promise<string> => {
    const body = { metadata: agents.map(({ id }) => ({ id })), probes: probeArrays(10) };
    const { id } = (await (await gateway().submit(user, body)).json()) as { id: string };
    return id;
  };
  const crowd = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => AgentCaller.ready(gateway(), `${name}-${n}`)));

  describe("reports at once", () => {
    test("each agent hears its own orders, and its own words are kept", async () => {
      const agents = await crowd("at-once", 8);
      const ids = await Promise.all(agents.map((agent) => submit(`user of ${agent.id}`, [agent])));
      await database().sql`UPDATE agents SET retired_at = now() WHERE agent_id = 'at-once-3'`;
      await gateway().ask("user of at-once-5", `/api/measurements/${ids[5]}/cancel`, { method: "POST" });
      const answers = await Promise.all(
        agents.map((agent, n) => agent.post("/health", { healthy: n !== 2, message: agent.id, details })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200, 200, 200, 200]);
      expect(answers.map(({ body }) => body.cancelled ?? null)).toEqual(
        agents.map((_, n) => (n === 3 ? null : n === 5 ? [ids[5]] : [])),
      );
      const rows = await database().sql<{ message: string | null }[]>`
        SELECT health_message AS message FROM agents
        WHERE agent_id LIKE 'at-once-%' AND healthy IS NOT DISTINCT FROM (agent_id <> 'at-once-2')
        ORDER BY agent_id`;
      // The retired one is as it was.
      expect(rows.map(({ message }) => message)).toEqual(agents.map(({ id }, n) => (n === 3 ? null : id)));
    });

    test("counts of parts that go on are kept for each agent, the largest of each", async () => {
      const agents = await crowd("counting", 6);
      const id = await submit("counted user", agents);
      const report = (n: number, sent_probes: number) =>
        agents[n]?.post("/measurements/status", [
          { measurement_id: id, sent_probes, received_replies: n, is_complete: false },
        ]);
      const places = agents.map((_, n) => n);
      await Promise.all(places.map((n) => report(n, 1)));
      const answers = await Promise.all(places.flatMap((n) => [report(n, n + 2), report(n, 1)]));
      expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 200));
      const rows = await database().sql<{ sent: number; replies: number }[]>`
        SELECT sent_probes AS sent, received_replies AS replies FROM measurement_agents
        WHERE measurement_id = ${id} AND status = 'running' ORDER BY agent_id`;
      expect(rows.map(({ sent, replies }) => [sent, replies])).toEqual(places.map((n) => [n + 2, n]));
    });

    test("progress that ends nothing does not wait for who holds its measurement", async () => {
      // The embedded one has one connection.
      if (database().engine !== "postgres") {
        return;
      }
      const [agent, other] = await crowd("unhindered", 2);
      if (agent === undefined || other === undefined) {
        throw new Error("No agents");
      }
      const id = await submit("unhindered user", [agent, other]);
      const report = (by: AgentCaller, sent_probes: number) =>
        by.post(`/measurement/${id}/status`, { sent_probes, is_complete: false });
      await report(agent, 1);
      await report(other, 1);
      await database().sql.begin(async (tx) => {
        await tx`SELECT FROM measurements WHERE measurement_id = ${id} FOR UPDATE`;
        expect((await report(agent, 2)).body).toMatchObject({ sent_probes: 2, status: "running" });
      });
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const holding = database().sql.begin(async (tx) => {
        await tx`SELECT FROM measurement_agents WHERE measurement_id = ${id} AND agent_id = ${agent.id} FOR UPDATE`;
        begun.resolve();
        await held.promise;
      });
      await begun.promise;
      const waiting = report(agent, 3);
      expect((await report(other, 4)).body).toMatchObject({ sent_probes: 4 });
      held.resolve();
      await holding;
      expect((await waiting).body).toMatchObject({ sent_probes: 3 });
    });
  });
}
