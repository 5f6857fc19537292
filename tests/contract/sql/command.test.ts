/** `vantage sql` at a gateway: rows in each form, a statement from a file, ClickHouse's own formats and refusals. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqlHome } from "../../attacks/sql/sql-home.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const owned = new AsyncDisposableStack();
let url = "";
let folder = "";

beforeAll(async () => {
  const home = owned.use(await SqlHome.start());
  url = owned.use(home.home.listen()).url.replace(/\/$/, "");
  folder = mkdtempSync(join(tmpdir(), "vantage-sql-command-"));
  owned.defer(() => rmSync(folder, { recursive: true }));
});
afterAll(() => owned.disposeAsync());

async function sql(...args: string[]) {
  const env = { ...process.env, HOME: folder, VANTAGE_GATEWAY: url, VANTAGE_TOKEN: "mallory" };
  return await saidBy(
    Bun.spawn([...vantageCommand, "sql", ...args], { env, stdout: "pipe", stderr: "pipe" }),
  );
}

const statement =
  "SELECT probe_ttl, count() AS replies, 18446744073709551615 AS large FROM replies GROUP BY 1 ORDER BY 1";

test("a table, JSON lines with exact numbers, CSV", async () => {
  const table = await sql(statement);
  expect(table.stdout.split("\n")[0]).toMatch(/^probe_ttl +replies +large$/);
  expect(table.stdout.split("\n").length).toBe(4);
  const lines = await sql(statement, "-o", "ndjson");
  expect(JSON.parse(lines.stdout.split("\n")[0] ?? "")).toEqual({
    ...{ probe_ttl: 1, replies: "2", large: "18446744073709551615" },
  });
  expect((await sql(statement, "-o", "csv")).stdout).toContain(
    "probe_ttl,replies,large\n1,2,18446744073709551615\n",
  );
});

test("text that would control the terminal is shown, not obeyed", async () => {
  const { stdout } = await sql("SELECT char(27, 91, 51, 49, 109) AS a, 'x\ny' AS b");
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("\\u001b");
});

test("a statement from a file, a format of ClickHouse", async () => {
  writeFileSync(join(folder, "query.sql"), "SELECT count()\nFROM replies -- mine\n");
  expect((await sql("-f", join(folder, "query.sql"), "-o", "csv")).stdout).toBe("count()\n3\n");
  expect((await sql("SELECT 1 AS a", "--format", "JSONEachRow")).stdout).toBe('{"a":1}\n');
});

test("refusals: the engine's own words, and wrong usage", async () => {
  const denied = await sql("SELECT * FROM measure.replies");
  expect([denied.exitCode, denied.stdout]).toEqual([1, ""]);
  expect(denied.stderr).toContain("Not enough privileges");
  expect((await sql()).exitCode).toBe(2);
  expect((await sql("SELECT 1", "-f", "x")).exitCode).toBe(2);
  expect((await sql("SELECT 1", "--format", "a b")).exitCode).toBe(2);
});
