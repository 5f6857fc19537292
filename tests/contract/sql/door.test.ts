/** /api/sql as ClickHouse's clients speak to it: credentials, formats, compression, failures, limits. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { SqlHome } from "../../attacks/sql/sql-home.ts";
import { until } from "../../run/until.ts";

let home: SqlHome;

beforeAll(async () => {
  home = await SqlHome.start("sql: { public_read: true, seconds_per_day: 50 }");
});
afterAll(() => home?.[Symbol.asyncDispose]());

const query = "SELECT count() FROM replies";
const basic = (user: string, password: string) => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` });
const codeOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-clickhouse-exception-code");

test("the token is taken wherever a client puts a password", async () => {
  const ways: readonly [what: string, query: string, headers: Record<string, string>][] = [
    ["bearer", "", { authorization: "Bearer mallory" }],
    ["basic", "", basic("any", "mallory")],
    ["headers", "", { "x-clickhouse-user": "any", "x-clickhouse-key": "mallory" }],
    ["query", "?user=any&password=mallory", {}],
  ];
  for (const [what, search, headers] of ways) {
    const { status, text } = await home.ask(null, query, search, { headers });
    expect([what, status, text]).toEqual([what, 200, "3\n"]);
  }
});

test("without a credential, with a wrong one, and without the scope: ClickHouse's form", async () => {
  const none = await home.ask(null, query);
  expect([none.status, codeOf(none)]).toEqual([401, "516"]);
  expect(none.text).toMatch(/^Code: 516\. DB::Exception: .*\(AUTHENTICATION_FAILED\)\n$/);
  expect(none.headers.get("www-authenticate")).toContain("Bearer");
  for (const headers of [basic("any", "bad"), basic("any", ""), { authorization: "Bearer bad" }]) {
    const { status } = await home.ask(null, query, "", { headers });
    expect(status).toBe(401);
  }
});

test("an API token needs the scope sql:read, and must not be narrowed to one measurement", async () => {
  const made = async (body: object) =>
    String(
      (
        await home.home.gateway.json("mallory", "/api/tokens", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "t", ...body }),
        })
      ).token,
    );
  expect((await home.ask(await made({ scopes: ["sql:read"] }), query)).text).toBe("3\n");
  const other = await home.ask(await made({ scopes: ["measurements:read"] }), query);
  expect([other.status, codeOf(other)]).toEqual([403, "497"]);
  expect(other.text).toContain("sql:read");
  const narrow = await home.ask(await made({ scopes: ["sql:read"], measurement_id: home.own }), query);
  expect([narrow.status, codeOf(narrow)]).toEqual([403, "497"]);
});

test("the statement comes as body, as query, or both; GET works", async () => {
  const search = `?query=${encodeURIComponent("SELECT 1")}`;
  expect((await home.ask("mallory", "", search)).text).toBe("1\n");
  expect((await home.ask("mallory", " + 1", search)).text).toBe("2\n");
  const got = await home.home.gateway.ask("mallory", `/api/sql${search}`);
  expect(await got.text()).toBe("1\n");
  const slash = await home.home.gateway.ask("mallory", `/api/sql/${search}`);
  expect(await slash.text()).toBe("1\n");
  expect(await (await home.home.gateway.ask(null, "/api/sql/ping")).text()).toBe("Ok.\n");
  const empty = await home.ask("mallory", " ");
  expect([empty.status, codeOf(empty)]).toEqual([400, "36"]);
});

test("formats: of the statement, of the request, and the default", async () => {
  expect((await home.ask("mallory", "SELECT 1 AS a, 'x' AS b")).text).toBe("1\tx\n");
  expect((await home.ask("mallory", "SELECT 1 AS a FORMAT JSONEachRow")).text).toBe('{"a":1}\n');
  expect((await home.ask("mallory", "SELECT 1 AS a", "?default_format=CSVWithNames")).text).toBe('"a"\n1\n');
  const named = await home.ask("mallory", "SELECT 1 AS a", "", {
    headers: { authorization: "Bearer mallory", "x-clickhouse-format": "JSONCompact" },
  });
  expect(JSON.parse(named.text)).toMatchObject({ data: [[1]] });
  const parquet = await home.ask("mallory", "SELECT agent_id FROM replies FORMAT Parquet");
  expect(parquet.text.slice(0, 4)).toBe("PAR1");
  const values = "?param_t=10&param_s=a%27b";
  expect((await home.ask("mallory", "SELECT {t:UInt8} + 1, {s:String}", values)).text).toBe("11\ta\\'b\n");
});

test("a large result comes in full, packed where the client takes it", async () => {
  const large = "SELECT number, toString(cityHash64(number)) FROM numbers(300000)";
  const plain = await home.ask("mallory", large);
  expect(plain.text.split("\n").length).toBe(300_001);
  const packed = await home.home.gateway.ask("mallory", "/api/sql?enable_http_compression=1", {
    method: "POST",
    body: large,
    headers: { "accept-encoding": "gzip" },
  });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(Bun.hash(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(Bun.hash(plain.text));
  const body = new Uint8Array(Bun.gzipSync("SELECT 7"));
  const sent = await home.home.gateway.ask("mallory", "/api/sql", {
    ...{ method: "POST", body, headers: { "content-encoding": "gzip" } },
  });
  expect(await sent.text()).toBe("7\n");
  const own = await home.ask("mallory", "SELECT 1", "?compress=1");
  expect([own.status, codeOf(own)]).toEqual([501, "48"]);
});

test("failures of the engine are passed on with their number", async () => {
  const failures: readonly [string, string][] = [
    ["SELECT", "62"],
    ["SELECT * FROM nothing", "60"],
    ["SELECT nothing FROM replies", "47"],
    ["SELECT * FROM measure.replies", "497"],
    ["SELECT throwIf(1)", "395"],
    ["SELECT {a:String}", "456"],
  ];
  for (const [sql, code] of failures) {
    const answer = await home.ask("mallory", sql);
    expect([sql, codeOf(answer)]).toEqual([sql, code]);
    expect(answer.text).toContain(`Code: ${code}. DB::Exception`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
});

test("a statement that is too long is refused, and so are too many parameters", async () => {
  const long = await home.ask("mallory", `SELECT '${"x".repeat(300_000)}'`);
  expect(long.status).toBe(413);
  const many = Array.from({ length: 101 }, (_, i) => `param_p${i}=1`).join("&");
  expect((await home.ask("mallory", "SELECT 1", `?${many}`)).status).toBe(400);
});

test("limits show the day's time, and end it: 201, with the time to wait", async () => {
  const limits = async () => (await home.home.gateway.json("dora", "/api/limits")).sql_seconds_per_day;
  expect(await limits()).toMatchObject({ limit: 50, used: 0, remaining: 50 });
  await home.ask("dora", "SELECT 1");
  const { sql } = home.home.gateway.services.database;
  const { userHash } = identityOf("dora");
  await until(async () => (await sql`SELECT FROM sql_days WHERE user_hash = ${userHash}`).length > 0);
  await sql`UPDATE sql_days SET used_ms = 50000 WHERE user_hash = ${userHash}`;
  expect(await limits()).toMatchObject({ limit: 50, used: 50, remaining: 0 });
  const refused = await home.ask("dora", "SELECT 1");
  expect([refused.status, codeOf(refused)]).toEqual([429, "201"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("queries of one user wait for each other, and all are answered", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      home.ask("mallory", "SELECT sum(cityHash64(number)) FROM numbers(3000000)"),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
