/**
 * SQL as somebody uses it who wants rows of others, the host, or all of the machine: each statement of
 * docs/internals/sql-attacks.md, with what it gets, and the ways in.
 *
 * @alone: it sends hundreds of statements to a column store of its own.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SqlHome, secret } from "../../attacks/sql/sql-home.ts";
import { getsOf, quick, statementsIn, stopped } from "../../attacks/sql/sql-page.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/internals/sql-attacks.md"), "utf8");
const statements = statementsIn(page);
let home: SqlHome;

beforeAll(async () => {
  home = await SqlHome.start();
});
afterAll(() => home?.[Symbol.asyncDispose]());

const count = async (user: string | null, query = "", table = "replies") =>
  (await home.ask(user, `SELECT count() FROM ${table}`, query)).text.trim();

test("there are at least 200 statements, and every section has some", () => {
  expect(statements.length).toBeGreaterThan(200);
  expect(new Set(statements.map(({ section }) => section)).size).toBe(6);
});

test("each statement gets what the table says, and shows nothing of another user's rows", async () => {
  const wrong: string[] = [];
  for (const { sql, gets } of statements) {
    const asked = home.filled(sql);
    // The sender is a heavy user by then, whose queries wait long on a busy machine.
    const response = await home.ask("mallory", asked, gets === stopped ? quick : "");
    const got = getsOf(response);
    const { status, text } = response;
    if (got !== gets) {
      wrong.push(`${sql}: ${got}, not ${gets}`);
    }
    // ClickHouse repeats parts of the statement in its errors.
    if (status === 200 && home.isLeak(text.replaceAll(asked, ""))) {
      wrong.push(`${sql} shows rows of another user: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("nothing was written: no file, no row, no object", async () => {
  expect(readdirSync("/tmp").filter((name) => /^vantage-attack-\d/.test(name))).toEqual([]);
  const { store } = home.home.store;
  const rows = async (query: string) =>
    await (await store.client.query({ query, format: "JSONEachRow" })).json();
  expect(await rows("SELECT count() AS n FROM measure.replies")).toEqual([{ n: 6 }]);
  expect(await rows("SELECT name FROM system.databases WHERE name IN ('x')")).toEqual([]);
  expect(await rows("SELECT count() AS n FROM system.tables WHERE name = 'x'")).toEqual([{ n: 0 }]);
});

test("each user has own rows and public ones, the public reader public ones, until they are hidden", async () => {
  expect(await count("ann")).toBe("4");
  expect(await count("mallory")).toBe("3");
  expect(await count("mallory", "", "probes")).toBe("3");
  expect(await count("ann", "", "history")).toBe("2");
  expect(await count("mallory", "", "history")).toBe("2");
  expect(await count("nobody")).toBe("1");
  expect(await count("nobody", "", "history")).toBe("1");
  expect(await count(null, "?user=read&password=read")).toBe("1");
  const { sql } = home.home.gateway.services.database;
  await sql`UPDATE shares SET hidden_at = now() WHERE measurement_id = ${home.shown}`;
  expect(await count("nobody")).toBe("0");
  expect(await count("nobody", "", "history")).toBe("0");
  expect(await count("carol")).toBe("1");
  await sql`UPDATE shares SET hidden_at = NULL WHERE measurement_id = ${home.shown}`;
  expect(await count(null, "?user=read&password=read")).toBe("1");
});

test("a link opens its rows for the statement that has it, and no longer than it works", async () => {
  const json = async (method: string, body?: object) =>
    await home.home.gateway.json("ann", `/api/measurements/${home.others}/sharing`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const link = String((await json("POST", { visibility: "link" })).link).replace(/^.*\//, "");
  expect(await count("mallory", `?link=${link}`)).toBe("6");
  expect(await count("mallory")).toBe("3");
  expect(await count("mallory", `?link=${link.slice(1)}x`)).toBe("3");
  await json("DELETE");
  expect(await count("mallory", `?link=${link}`)).toBe("3");
});

test("replies without a measurement are seen by the user whose own prefix sent the probes", async () => {
  const { sql } = home.home.gateway.services.database;
  await home.home.gateway.ask("ann", "/api/user/prefixes");
  const [row] = await sql<{ prefix: string }[]>`
    SELECT host(user_prefix) AS prefix FROM user_prefixes JOIN users USING (user_hash)
    WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${home.others})
      AND family(user_prefix) = 6`;
  const source = `${row?.prefix ?? ""}7`;
  await home.home.store.insertReplies([
    {
      measurement: "",
      agent: "west",
      source,
      destination: "2001:db8::9",
      srcPort: 1,
      ttl: 1,
      from: "2001:db8::1",
      rttTenthMs: 1,
    },
  ]);
  const query = "SELECT count() FROM saimiris.replies WHERE probe_dst_addr = toIPv6('2001:db8::9')";
  expect((await home.ask("ann", query)).text).toBe("1\n");
  expect((await home.ask("mallory", query)).text).toBe("0\n");
  expect((await home.ask(null, query, "?user=read&password=read")).text).toBe("0\n");
});

test("settings of the request do not open it either", async () => {
  const query = "SELECT count() FROM vantage.replies";
  const allowed = ["max_result_rows=10", "output_format_json_quote_64bit_integers=1", "session_timezone=UTC"];
  for (const setting of allowed) {
    expect([setting, (await home.ask("mallory", query, `?${setting}`)).text]).toEqual([setting, "3\n"]);
  }
  for (const [name, value] of Object.entries({
    ...{ log_comment: home.digest, readonly: "0", role: "default", quota_key: "x", session_id: "x" },
  })) {
    expect([name, (await home.ask("mallory", query, `?${name}=${value}`)).text]).toEqual([name, "3\n"]);
  }
  for (const name of [
    "max_memory_usage",
    "additional_table_filters",
    "format_schema_path",
    "x'y",
    "max_threads",
  ]) {
    const { status, headers } = await home.ask("mallory", query, `?${encodeURIComponent(name)}=1`);
    expect([name, status, headers.get("x-clickhouse-exception-code")]).toEqual([name, 400, "164"]);
  }
  const raised = await home.ask("mallory", "SELECT count() FROM numbers(20000000000)", "?max_rows_to_read=0");
  expect(raised.headers.get("x-clickhouse-exception-code")).not.toBeNull();
  for (const database of ["measure'", "a b", "`x`", "x;y"]) {
    expect((await home.ask("mallory", query, `?database=${encodeURIComponent(database)}`)).status).toBe(400);
  }
  expect(await count("mallory", "?database=measure", "measure.replies")).toContain("Code: 497");
});

test("values of parameters are values", async () => {
  const query = "SELECT count() FROM replies WHERE probe_dst_addr = toIPv6({a:String}) OR {b:String} = 'x'";
  const params = `?param_a=${secret}&param_b=${encodeURIComponent("' OR 1 --\\n\\t\\\\")}`;
  expect((await home.ask("mallory", query, params)).text).toBe("0\n");
  expect((await home.ask("mallory", "SELECT {b:String}", `?param_b=x%09y`)).text).toContain("x");
  expect((await home.ask("mallory", "SELECT 1", "?param_a;b=1")).status).toBe(400);
});

test("no condition meets a row of another user, also in parts with projections and many rows", async () => {
  // Both users' rows side by side in every order that the table has.
  const columns =
    "date, time_inserted_ns, time_received_ns, agent_id, probe_src_addr, probe_dst_addr, rtt, measurement_id";
  await home.home.store.store.client.command({
    query: `INSERT INTO measure.replies (${columns})
      SELECT today(), now64(9), now64(9) - toIntervalMicrosecond(number), 'west', toIPv6('2001:db8::1'),
        toIPv6(if(number % 2, '${secret}', '203.0.113.76')), if(number % 2, 6000, 5),
        if(number % 2, '${home.others}', '${home.own}') FROM numbers(200000)`,
  });
  const traps = [
    "NOT throwIf(rtt = 6000)",
    `probe_dst_addr BETWEEN toIPv6('203.0.113.70') AND toIPv6('203.0.113.80') AND NOT throwIf(rtt = 6000)`,
    `measurement_id IN ('${home.own}', '${home.others}') AND NOT throwIf(rtt = 6000)`,
    `measurement_id >= '' AND intDiv(1, rtt != 6000) = 1`,
    "time_received_ns > now() - INTERVAL 1 DAY AND toUInt8(if(rtt = 6000, 'x', '1')) = 1",
    "NOT ignore(throwIf(rtt = 6000))",
  ];
  for (const trap of traps) {
    const { text } = await home.ask(
      "mallory",
      `SELECT count() FROM replies WHERE agent_id = 'west' AND rtt IN (5, 6000) AND ${trap}`,
    );
    expect([trap, text]).toEqual([trap, "100000\n"]);
    expect(
      (await home.ask("ann", `SELECT count() FROM replies WHERE ${trap}`)).status,
    ).toBeGreaterThanOrEqual(400);
  }
});
