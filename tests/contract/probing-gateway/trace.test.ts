/** One id from the client to the agents' records, and what an operator learns by it. */
import { expect, test } from "bun:test";
import { ProgressReports } from "../../../apps/probing/gateway/agents/progress.ts";
import { unpublished } from "../../../apps/probing/gateway/submit/resume.ts";
import { addAgent, type GatewayHome } from "./gateway-home.ts";
import { eventually } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

const line = "2001:db8::7,24000,33434,9,udp\n";

async function submit(gateway: GatewayHome, requestId: string, agents: string) {
  const options = { type: "text/csv", query: `?agents=${agents}`, headers: { "x-request-id": requestId } };
  const response = await gateway.submit("traced", line, options);
  return { answer: (await response.json()) as { id: string; request_id: string }, headers: response.headers };
}

interface Traced {
  readonly measurements: readonly object[];
  readonly refusals: readonly { readonly code: string; readonly reason: string }[];
}

async function trace(gateway: GatewayHome, id: string) {
  const response = await gateway.ask(gateway.services.adminKey, `/admin/trace/${id}`);
  return { status: response.status, body: (await response.json()) as Traced };
}

onBothEngines((gateway) => {
  test("the client's id is in the answer, in each record, and in records that another process publishes", async () => {
    const { answer, headers } = await submit(gateway(), "client-4711", "west,east");
    expect([answer.request_id, headers.get("x-request-id")]).toEqual(["client-4711", "client-4711"]);
    const records = await gateway().records(answer.id);
    const texts = records.flatMap((record) => Object.values(record.headers));
    expect(texts.map((text) => JSON.parse(text).request_id)).toEqual(["client-4711", "client-4711"]);
    const { gatewayId, spoolFolder, database } = gateway().services;
    // What is published is noted a moment after the answer.
    await eventually(async () =>
      expect(
        await database.sql`SELECT FROM measurements WHERE measurement_id = ${answer.id} AND published_at IS NOT NULL`,
      ).toHaveLength(1),
    );
    await database.sql`UPDATE measurements SET published_at = NULL WHERE measurement_id = ${answer.id}`;
    const [outgoing] = await unpublished(database.sql, gatewayId, spoolFolder, [answer.id]);
    expect(outgoing?.requestId).toBe("client-4711");
    spoolFolder.give(outgoing?.spoolBytes ?? 0);
  });

  test.each(["short", "with blank", "x".repeat(65), "a;b=cdefgh"])("%p is not taken over", async (given) => {
    const { answer } = await submit(gateway(), given, "west");
    expect(answer.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
  });

  test("by either id: who, agents' progress and errors, refusals, and what operators changed meanwhile", async () => {
    await addAgent(gateway(), "lame", { healthy: false });
    const { answer } = await submit(gateway(), "client-4712", "west,east,lame");
    const { database } = gateway().services;
    const progress = { received_replies: 1, failed_probes: 0, held_probes: 0, is_stopped: false };
    const report = { measurement_id: answer.id, sent_probes: 1, ...progress };
    await new ProgressReports(database).take("west", [{ ...report, is_complete: true, error: null }]);
    const error = "source 192.0.2.9 lies in no prefix of this agent";
    await new ProgressReports(database).take("east", [
      { ...report, sent_probes: 0, is_complete: false, error },
    ]);
    await database.sql`
      INSERT INTO audit (at, actor, action, subject) SELECT ended_at, 'admin', 'agent.pause', 'agent:west'
      FROM measurements WHERE measurement_id = ${answer.id}`;
    const byRequest = await trace(gateway(), "client-4712");
    expect(byRequest.body).toEqual((await trace(gateway(), answer.id)).body);
    expect(byRequest.body.refusals).toEqual([]);
    expect(byRequest.body.measurements).toMatchObject([
      {
        ...{ measurement_id: answer.id, request_id: "client-4712", status: "failed", probes: 1 },
        rejected: [{ id: "lame", reason: "the agent is not healthy" }],
        agents: [
          { agent_id: "east", status: "failed", error, sent_probes: 0 },
          { agent_id: "west", status: "complete", error: null, sent_probes: 1 },
        ],
        changes: [{ actor: "admin", action: "agent.pause", subject: "agent:west" }],
        ...{ stored_replies: null, store_trouble: expect.stringContaining("no column store") },
      },
    ]);
  });

  test("a refused request is found with its reason, as is a refused addition by its measurement", async () => {
    const { database, gatewayId } = gateway().services;
    const ask = (query: string, body = line, type = "text/csv") =>
      gateway().submit("refused", body, {
        ...{ type, query, headers: { "x-request-id": "client-4713", "user-agent": "vantage/1" } },
      });
    const asked = [
      [await ask("?agents=west", "nonsense\n"), 400, "invalid_probe"],
      [await ask("?agents=west&round=none"), 400, "invalid_query"],
      [await ask(""), 422, "missing_agents"],
      [await ask("?agents=west", line, "image/png"), 415, "unsupported_media_type"],
    ] as const;
    expect(asked.map(([{ status }]) => status)).toEqual(asked.map(([, status]) => status));
    const found = () => trace(gateway(), "client-4713").then(({ body }) => body);
    await eventually(async () => expect((await found()).refusals).toHaveLength(asked.length));
    const { measurements, refusals } = await found();
    expect(measurements).toEqual([]);
    // Those of one millisecond have no order.
    const byCode = refusals.toSorted((a, b) => a.code.localeCompare(b.code));
    expect(byCode).toMatchObject(
      asked.map(([, status, code]) => ({ status, code, gateway_id: gatewayId, added_to: null })),
    );
    const { message } = (await asked[0][0].json()) as { message: string };
    expect(byCode[0]?.reason).toBe(message);
    const { answer } = await submit(gateway(), "client-4714", "west");
    const path = `/api/measurements/${answer.id}/probes`;
    const late = await gateway().ask("traced", path, {
      ...{ method: "POST", body: line, headers: { "content-type": "text/csv" } },
    });
    expect(late.status).toBe(409);
    await eventually(async () => {
      const { body } = await trace(gateway(), answer.id);
      expect([body.measurements.length, body.refusals.length]).toEqual([1, 1]);
      expect(body.refusals[0]).toMatchObject({ added_to: answer.id, status: 409 });
    });
    await database.sql`UPDATE refused_submissions SET refused_at = now() - interval '8 days'`;
    await eventually(async () => expect(await database.sql`SELECT FROM refused_submissions`).toHaveLength(0));
  });

  test("of a user's refusals the newest are kept", async () => {
    const { sql } = gateway().services.database;
    const refuse = () => gateway().submit("often", line, { type: "text/csv", query: "" });
    const kept = () => sql`SELECT code FROM refused_submissions WHERE code IN ('filled', 'missing_agents')`;
    await refuse();
    await eventually(async () => expect(await kept()).toHaveLength(1));
    await sql`
      INSERT INTO refused_submissions (request_id, user_hash, gateway_id, refused_at, status, code, reason)
      SELECT 'client-old', user_hash, 'g', now() - interval '1 hour', 400, 'filled', 'r'
      FROM refused_submissions, generate_series(1, 300) WHERE code = 'missing_agents'`;
    await refuse();
    await eventually(async () => {
      const all = await kept();
      expect([all.length, all.filter(({ code }) => code === "missing_agents").length]).toEqual([200, 2]);
    });
  });

  test("an id that nothing has is unknown, a strange one is refused, and strangers get nothing", async () => {
    expect(await trace(gateway(), "client-none")).toMatchObject({
      status: 404,
      body: { code: "unknown_trace" },
    });
    expect(await trace(gateway(), "a%20b")).toMatchObject({ status: 400, body: { code: "invalid_id" } });
    expect((await gateway().ask("traced", "/admin/trace/client-4712")).status).toBe(401);
  });
});
