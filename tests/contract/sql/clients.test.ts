/** Existing clients, unchanged: clickhouse-connect of PyPI, and curl. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { SqlHome } from "../../attacks/sql/sql-home.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { runToEnd } from "../../run/said.ts";

let home: SqlHome;
let url = "";
const owned = new AsyncDisposableStack();

beforeAll(async () => {
  home = owned.use(await SqlHome.start());
  url = owned.use(home.home.listen()).url;
});
afterAll(() => owned.disposeAsync());

test("clickhouse-connect: rows, columns, parameters, a data frame's types, an error", async () => {
  const python = join(await pythonFolder("clickhouse-connect==1.12.0"), "bin/python");
  const program = `
import sys, clickhouse_connect
from clickhouse_connect.driver.exceptions import DatabaseError
client = clickhouse_connect.get_client(
    host="127.0.0.1", port=int(sys.argv[1]), username="me", password="mallory",
    proxy_path="api/sql", database="vantage")
print(client.query("SELECT count() FROM replies").result_rows)
result = client.query("SELECT agent_id, probe_dst_addr, rtt FROM replies WHERE probe_ttl = {t:UInt8} ORDER BY rtt",
    parameters={"t": 2})
print(result.column_names, result.result_rows)
print(client.command("SELECT sum(number) FROM numbers(1000)"))
try:
    client.query("SELECT * FROM measure.replies")
except DatabaseError as error:
    print("refused", "497" in str(error))
`;
  const { stdout, stderr, exitCode } = await runToEnd([python, "-c", program, new URL(url).port]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  expect(stdout).toContain("[(3,)]");
  expect(stdout).toContain("('agent_id', 'probe_dst_addr', 'rtt')");
  expect(stdout).toContain("499500");
  expect(stdout).toContain("refused True");
});

test("clickhouse-go: its first statement gets one block in the form of its protocol version, others the oldest", async () => {
  const ask = async (statement: string) => {
    const query = "?client_protocol_version=54460&database=vantage&default_format=Native";
    const response = await fetch(`${url}api/sql${query}`, {
      method: "POST",
      headers: { authorization: "Bearer mallory" },
      body: statement,
    });
    return Buffer.from(await response.arrayBuffer()).toString("latin1");
  };
  const first = await ask("SELECT displayName(), version(), revision(), timezone()");
  const head = "\x01\0\x02\xff\xff\xff\xff\0";
  expect(first).toStartWith(
    `${head}\x04\x01\x0ddisplayName()\x06String\0\x07vantage\x09version()\x06String\0`,
  );
  expect(first).toContain("\x0arevision()\x06UInt32\0\0\0\0\0\x0atimezone()\x06String\0");
  expect(await ask("SELECT 1 AS one")).toBe("\x01\x01\x03one\x05UInt8\x01");
});

test("curl: basic, and user and password in the address", async () => {
  const curl = async (...args: string[]) => (await runToEnd(["curl", "-sS", ...args])).stdout;
  const statement = "SELECT count() FROM saimiris.replies FORMAT JSONEachRow";
  expect(await curl("-u", "me:mallory", `${url}api/sql`, "-d", statement)).toBe('{"count()":3}\n');
  expect(await curl(`${url}api/sql?user=read&password=read`, "--data-binary", statement)).toBe(
    '{"count()":1}\n',
  );
  expect(
    await curl(
      "--compressed",
      "-u",
      "me:mallory",
      `${url}api/sql/?enable_http_compression=1`,
      "-d",
      statement,
    ),
  ).toBe('{"count()":3}\n');
});
