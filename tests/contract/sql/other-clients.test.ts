/**
 * Clients of other languages, unchanged: DBeaver's (ClickHouse's JDBC driver) and Grafana's (clickhouse-go by HTTP). On
 * a machine that cannot make one its test is skipped, with the reason in its name.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SqlHome } from "../../attacks/sql/sql-home.ts";
import { runToEnd } from "../../run/said.ts";
import { grafanaClient, jdbcClient, type Program } from "./other-clients.ts";

let home: SqlHome;
let url = "";
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  home = owned.use(await SqlHome.start());
  url = owned.use(home.home.listen()).url;
});
afterAll(() => owned.disposeAsync());

function testOf(name: string, program: Program, act: (command: readonly string[]) => Promise<void>): void {
  if ("missing" in program) {
    test.skip(`${name}: ${program.missing}`, () => undefined);
  } else {
    test(name, () => act(program.command));
  }
}

testOf(
  "JDBC, as DBeaver: its tree of metadata, rows, a parameter, a refusal",
  await jdbcClient(),
  async (command) => {
    const address = `jdbc:ch://${new URL(url).host}/api/sql/vantage?compress=0`;
    const { stdout, stderr, exitCode } = await runToEnd([...command, address]);
    const lines = stdout.split("\n");
    const line = (name: string) => lines.find((one) => one.startsWith(`${name} `)) ?? stderr;
    expect(line("product")).toBe("product ClickHouse true");
    expect(line("schemas")).toBe("schemas [bmp] [flows] [saimiris] [vantage]");
    expect(line("tables")).toContain("[,vantage,history] [,vantage,probes] [,vantage,replies]");
    expect(line("columns")).toContain("[,vantage,replies,rtt,");
    expect(line("types")).toContain("[IPv6]");
    expect(line("rows")).toBe("rows [west,203.0.113.5,10] [west,203.0.113.9,10] [west,203.0.113.9,20]");
    expect(line("engines")).toContain("[vantage,Atomic]");
    expect(line("refused")).toMatch(/^refused failed: .*497/);
    expect(line("bound")).toBe("bound [1]");
    expect(lines).toContain("keys");
    expect(lines).toContain("indexes");
    expect(exitCode).toBe(0);
  },
);

testOf(
  "clickhouse-go, as Grafana: its tree, series, types, a refusal",
  await grafanaClient(),
  async (command) => {
    const minute = "toStartOfInterval(toDateTime(time_received_ns), INTERVAL 1 day) AS time";
    const statements = [
      "SHOW DATABASES",
      'SHOW TABLES FROM "vantage"',
      'DESC TABLE "vantage"."replies"',
      `SELECT ${minute}, max(rtt) AS rtt FROM replies WHERE time_received_ns <= now() GROUP BY time ORDER BY time`,
      "SELECT agent_id, probe_dst_addr, reply_mpls_labels, rtt FROM replies ORDER BY rtt, probe_dst_addr",
      "SELECT number FROM numbers(200000)",
      "SELECT * FROM measure.replies",
    ];
    const { stdout, stderr, exitCode } = await runToEnd([...command, new URL(url).port, ...statements]);
    expect([stderr, exitCode]).toEqual(["", 0]);
    const [databases, tables, columns, series, rows, many, refused] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(databases.Rows).toEqual([["bmp"], ["flows"], ["saimiris"], ["vantage"]]);
    expect(tables.Rows).toEqual([["history"], ["probes"], ["replies"]]);
    expect(columns.Rows).toContainEqual(expect.arrayContaining(["probe_dst_addr", "IPv6"]));
    expect(series).toMatchObject({ Names: ["time", "rtt"], Types: ["DateTime", "UInt16"] });
    expect(series.Rows).toEqual([[expect.any(String), "20"]]);
    expect(rows.Rows).toEqual([
      ["west", "203.0.113.5", "[]", "10"],
      ["west", "203.0.113.9", "[]", "10"],
      ["west", "203.0.113.9", "[]", "20"],
    ]);
    expect(many.Rows).toHaveLength(200_000);
    expect(refused.Failure).toContain("Code: 497");
  },
);
