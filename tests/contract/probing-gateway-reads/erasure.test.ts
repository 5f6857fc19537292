/** A user's data handed over and erased: the database on both engines, and a real column store. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { readEndpoint } from "../../../lib/engines/store/clickhouse/endpoint-file.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { made } from "../probing-gateway/campaign-time.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { stopped } from "../probing-gateway/measurement-helpers.ts";
import { admin } from "../probing-gateway-agents/callers.ts";
import { ResultsHome } from "./results-home.ts";

const hashOf = (subject: string) => identityOf(subject).userHash;

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome;
  let home: ResultsHome;
  let annsPrefix: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    database = await startEngine(engine);
    home = await ResultsHome.start(database);
    for (const user of ["ann", "bob"]) {
      const id = await home.submit(user, 3);
      ids[user] = id;
      await home.ingest(id, 3, [{}, {}]);
      await home.end(id, 300);
    }
    const { agents } = await home.gateway.json("ann", "/api/user/prefixes");
    annsPrefix = (agents as { prefixes: { user_prefix: string }[] }[])[0]?.prefixes[0]?.user_prefix ?? "";
    // An answer to a probe from ann's own prefix that came without a measurement, and one from next to it.
    await home.ingest("", 0, [
      { source: annsPrefix.replace(/::\/80$/, "::9") },
      { source: "2001:db8:1234::9" },
    ]);
    await admin(home.gateway, `/users/${hashOf("ann")}`, {
      method: "PATCH",
      body: { probes_per_day_max: 5000 },
    });
    for (const user of ["ann", "bob"]) {
      const campaign = await made(home.gateway, user, {
        name: `watch of ${user}`,
        start: "2100-01-01T00:00:00Z",
      });
      await home.gateway.services.database.sql`
        INSERT INTO campaign_runs (campaign_id, run, last_run, revision, planned_at, state, reason)
        SELECT ${campaign}, run, run, 1, now(), 'passed', 'missed' FROM generate_series(1, 201) AS run`;
    }
  });
  afterAll(async () => {
    await home?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const stored = async (table: string, condition: string): Promise<number> =>
    home.gateway.services.store.ask(async ({ client }) => {
      const query = `SELECT toUInt32(count()) AS count FROM measure.${table} WHERE ${condition}`;
      const [row] = await (await client.query({ query, format: "JSONEachRow" })).json<{ count: number }>();
      return row?.count ?? -1;
    });
  const erase = (user: string, query = "") =>
    admin(home.gateway, `/users/${hashOf(user)}${query}`, { method: "DELETE" });
  const rowsNaming = async (hash: string): Promise<Record<string, number>> => {
    const { sql } = home.gateway.services.database;
    const tables = [
      ...["users", "quota_days", "sql_days", "user_prefixes", "measurements", "campaigns"],
      "refused_submissions",
    ];
    const counts = await Promise.all(
      tables.map(async (table) => {
        const rows = await sql`SELECT FROM ${sql(table)} WHERE user_hash = ${hash}`;
        return [table, rows.length] as const;
      }),
    );
    const audit = await sql`
      SELECT FROM audit WHERE actor || subject || details::text LIKE ${`%${hash}%`}`;
    return { ...Object.fromEntries(counts), audit: audit.length };
  };

  test("all that is kept is exported", async () => {
    await home.gateway.services.database.sql`
      INSERT INTO sql_days (user_hash, day, queries, used_ms) VALUES (${hashOf("ann")}, now()::date, 2, 30)`;
    await home.gateway.services.database.sql`
      INSERT INTO refused_submissions (request_id, user_hash, gateway_id, refused_at, status, code, reason)
      VALUES ('client-1', ${hashOf("ann")}, 'g', now(), 400, 'invalid_probe', 'no address')`;
    const { status, body } = await admin(home.gateway, `/users/${hashOf("ann")}/export`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { user_hash: hashOf("ann"), probes_per_day_max: 5000 },
      quota_days: [{ charged: 3 }],
      sql_days: [{ queries: 2, used_ms: 30 }],
      refused_submissions: [{ request_id: "client-1", reason: "no address" }],
      measurements: [
        {
          measurement_id: ids.ann,
          probes: 3,
          agents: [{ agent_id: "west" }],
          targets: [{ agent_id: "west" }],
        },
      ],
      campaigns: [
        {
          name: "watch of ann",
          phase: "active",
          revisions: [{ revision: 1, definition: { every: 21_600 } }],
        },
      ],
      alerts: [],
      audit: [{ action: "user.limits", actor: "admin" }],
    });
    const numbers = (body.campaign_runs as { run: number }[]).map(({ run }) => run);
    expect(numbers).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
    expect(body.prefixes).toContainEqual(expect.objectContaining({ user_prefix: annsPrefix }));
    expect(JSON.stringify(body)).not.toContain(ids.bob ?? "");
  });

  test.each([
    ["replies", 3],
    ["probes", 3],
  ])("so are %s, from the store", async (table, count) => {
    const { services } = home.gateway;
    const response = await home.gateway.ask(
      services.adminKey,
      `/admin/users/${hashOf("ann")}/export/${table}`,
    );
    const rows = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ measurement_id }) => measurement_id === ids.ann).length).toBeGreaterThanOrEqual(2);
    expect(rows.filter(({ measurement_id }) => measurement_id === ids.bob)).toEqual([]);
  });

  test("nobody is erased while agents may send, and then all of it goes", async () => {
    const running = await home.submit("ann", 4);
    const busy = await erase("ann");
    expect(busy).toMatchObject({ status: 409, body: { code: "user_busy", agents: ["west"] } });
    // Suspended and called off, and nothing is gone yet.
    const refused = await home.gateway.submit("ann", "203.0.113.9,24000,33434,1,udp\n", {
      ...{ type: "text/csv", query: "?agents=west" },
    });
    expect([refused.status, await stored("replies", `measurement_id = '${ids.ann}'`)]).toEqual([403, 2]);
    await stopped(home.gateway, [running], "west");
    const fresh = await erase("ann");
    expect(fresh.body.message).toContain("ended a moment ago");
    const { sql } = home.gateway.services.database;
    await sql`
      UPDATE measurements SET ended_at = ended_at - interval '1 minute', updated_at = updated_at - interval '1 minute',
        publishing_ended_at = coalesce(publishing_ended_at, now())`;
    const { status, body } = await erase("ann");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_hash: hashOf("ann"),
      erased: expect.arrayContaining([
        { place: "database", what: "measurements, with agents and sources", rows: 2 },
        { place: "column store", what: "replies", rows: 3 },
        { place: "column store", what: "probes", rows: 3 },
      ]),
    });
    const remains = body.remains as { place: string; what: string; until: string | null }[];
    expect(remains.map(({ place }) => place)).toEqual([
      "database",
      "broker",
      "agents",
      "column store",
      "backups",
    ]);
    expect(remains[0]?.what).toContain("write-ahead log");
    expect(remains[3]?.what).toContain("measurement ids");
    // The broker's log drops a record after a day.
    const dropAtMs = Date.parse(remains[1]?.until ?? "");
    expect(dropAtMs).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(dropAtMs).toBeLessThan(Date.now() + 25 * 3_600_000);
  });

  test("no row of the database names the user, and none of another user is missing", async () => {
    expect(await rowsNaming(hashOf("ann"))).toEqual({
      ...{ users: 0, quota_days: 0, sql_days: 0, user_prefixes: 0, measurements: 0, campaigns: 0, audit: 0 },
      refused_submissions: 0,
    });
    expect(await rowsNaming(hashOf("bob"))).toMatchObject({
      users: 1,
      quota_days: 1,
      measurements: 1,
      campaigns: 1,
    });
    expect((await home.rows("bob", `/api/measurements/${ids.bob}/replies`)).length).toBe(2);
  });

  test("the column store has none of the user's rows, and all of others", async () => {
    expect(await stored("replies", `measurement_id = '${ids.ann}'`)).toBe(0);
    expect(await stored("probes", `measurement_id = '${ids.ann}'`)).toBe(0);
    // Projections are rows of their own.
    const hidden = "SETTINGS optimize_use_projections = 1, force_optimize_projection = 1";
    expect(await stored("replies", `measurement_id = '${ids.ann}' ${hidden}`)).toBe(0);
    expect(await stored("replies", `measurement_id = '${ids.bob}'`)).toBe(2);
    expect(await stored("replies", "measurement_id = ''")).toBe(1);
  });

  test("the audit says that somebody was erased, by whom, and not who", async () => {
    const { body } = await admin(home.gateway, "/audit?subject=user:erased");
    const entries = body as unknown as { action: string; actor: string; details: object }[];
    expect(entries.map(({ action }) => action)).toEqual(["user.erase", "user.suspend", "user.limits"]);
    expect(entries.slice(1).map(({ details }) => details)).toEqual([{}, {}]);
    const { sql } = home.gateway.services.database;
    await sql`UPDATE audit SET actor = 'nobody'`;
    await sql`DELETE FROM audit`;
    expect((await admin(home.gateway, "/audit?subject=user:erased")).body).toEqual(body);
  });

  test("who comes back is a new user", async () => {
    expect(await erase("ann")).toMatchObject({ status: 404, body: { code: "unknown_user" } });
    const { used } = await home.gateway.json("ann", "/api/user/me");
    expect(used).toBe(0);
    expect((await home.submit("ann", 1)).length).toBe(36);
  });
});

describe("a store that the gateway may only read", () => {
  let database: EngineHome;
  let home: ResultsHome;
  let reader: ReturnType<typeof Bun.serve>;
  let gateway: GatewayHome;

  beforeAll(async () => {
    database = await startEngine();
    home = await ResultsHome.start(database);
    const { url, token } = readEndpoint(home.store.address.replace("chdb:", "")) ?? { url: "", token: "" };
    // As an account of a server has it: `readonly` 2.
    reader = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const { search } = new URL(request.url);
        const body = await request.arrayBuffer();
        const headers = { authorization: `Basic ${btoa(`x:${token}`)}` };
        const to = `${url.replace(/\/$/, "")}/${search}${search === "" ? "?" : "&"}readonly=2`;
        return fetch(to, { method: "POST", headers, body });
      },
    });
    const id = await home.submit("ann", 2);
    await home.ingest(id, 2, [{}]);
    await home.end(id, 300);
    const { sql } = home.gateway.services.database;
    await sql`UPDATE measurements SET updated_at = now() - interval '5 minutes'`;
    await home.gateway[Symbol.asyncDispose]();
    gateway = await GatewayHome.start({
      databaseAddress: home.gateway.services.config.database.address,
      yaml: `store: { address: "http://x@127.0.0.1:${reader.port}" }`,
    });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await reader?.stop(true);
    await home?.store[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  test("is said so, with what its owner is to run; then the rest goes", async () => {
    const path = `/users/${hashOf("ann")}`;
    const { status, body } = await admin(gateway, path, { method: "DELETE" });
    expect([status, body.code]).toEqual([409, "store_refuses"]);
    const statements = body.statements as string[];
    expect(statements).toHaveLength(4);
    expect((await admin(gateway, path)).status).toBe(200);
    for (const query of statements) {
      await home.store.store.client.command({ query });
    }
    const erased = await admin(gateway, `${path}?store=skip`, { method: "DELETE" });
    expect(erased.status).toBe(200);
    expect((await admin(gateway, path)).status).toBe(404);
    const counted = await home.store.store.client.query({
      ...{ query: "SELECT toUInt32(count()) AS count FROM measure.replies", format: "JSONEachRow" },
    });
    expect(await counted.json<{ count: number }>()).toEqual([{ count: 0 }]);
  });
});
