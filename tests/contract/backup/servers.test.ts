/** Gateways with databases on a server, while they are written to: on to another database, of either engine. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { makeSubjectKey } from "../../../apps/peering/gateway/subjects/subject-key.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import type { PostgresProcess } from "../../postgres/postgres-process.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { onPeering, onProbing } from "../../upgrade/gateway-homes.ts";
import { dumped, loadDump, releases, releasesFolder, schemas } from "../../upgrade/release-files.ts";
import { databaseRows } from "./contents.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const version = releases().at(-1) ?? "";
let server: PostgresProcess;
const original: Record<string, string> = {};
const configuration = (schema: string) => join(folder, `${schema}.yaml`);
const vantage = (...args: string[]) => runToEnd([...vantageCommand, ...args]);

beforeAll(async () => {
  server = await startPostgres();
  for (const schema of schemas) {
    const address = await server.createDatabase();
    original[schema] = address;
    loadDump(join(releasesFolder, version, `${schema}.sql`), address);
    await (schema === "probing" ? onProbing : onPeering)(address, async () => {});
    const place = `gateway: { state_dir: "${folder}/${schema}" }\ndatabase: { address: "${address}" }\n`;
    writeFileSync(join(folder, "subject-keys"), `${makeSubjectKey("2026-01-01")}\n`);
    const more =
      schema === "probing"
        ? 'kafka: { brokers: "kafka.example:9092" }\n'
        : `leases: { pool: ["2001:db8::/40"] }\nsubjects: { keys_file: "${folder}/subject-keys" }\n`;
    writeFileSync(configuration(schema), place + more);
  }
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const gateways = [
  "--probing-gateway",
  configuration("probing"),
  "--peering-gateway",
  configuration("peering"),
];

test("what is restored on another database is the same, to pg_dump too; on the other engine, row by row", async () => {
  const backup = join(folder, "backup");
  const made = await vantage("backup", ...gateways, backup);
  expect({ exitCode: made.exitCode, stderr: made.stderr }).toMatchObject({ exitCode: 0 });
  expect(made.stdout).toContain("kafka:kafka.example:9092: Kafka protects records in transit by replication");
  const targets = { probing: await server.createDatabase(), peering: await server.createDatabase() };
  const elsewhere = ["--folder", `${folder}=${join(folder, "elsewhere")}`];
  const places = ["--probing-database", targets.probing, "--peering-database", targets.peering, ...elsewhere];
  const done = await vantage("restore", ...places, backup);
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  for (const schema of schemas) {
    expect(dumped(targets[schema])).toBe(dumped(original[schema] ?? ""));
  }
  for (const file of ["subject-keys", "probing.yaml"]) {
    expect(readFileSync(join(folder, "elsewhere", file))).toEqual(readFileSync(join(folder, file)));
  }

  const again = await vantage("restore", ...places, backup);
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toMatch(/postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\d+: table agents/);

  const embedded = (schema: string) => `pglite:${join(folder, "embedded", schema)}`;
  const onPglite = ["--probing-database", embedded("probing"), "--peering-database", embedded("peering")];
  const third = ["--folder", `${folder}=${join(folder, "third")}`];
  expect(await vantage("restore", ...onPglite, ...third, backup)).toMatchObject({ exitCode: 0 });
  for (const schema of schemas) {
    expect(await databaseRows(embedded(schema))).toEqual(await databaseRows(original[schema] ?? ""));
  }
});

test("all tables of a database are of one moment", async () => {
  const address = original.probing ?? "";
  const sql = postgres(address, { max: 1, onnotice: () => {} });
  await sql`CREATE TABLE a_first (n integer)`;
  await sql`CREATE TABLE z_last (n integer)`;
  const stopping = new AbortController();
  const writing = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await sql.begin(async (tx) => {
        await tx`INSERT INTO z_last VALUES (${n})`;
        await tx`INSERT INTO a_first VALUES (${n})`;
      });
    }
  })();
  const backup = join(folder, "moment");
  expect(await vantage("backup", "--probing-gateway", configuration("probing"), backup)).toMatchObject({
    exitCode: 0,
  });
  stopping.abort();
  await writing;
  const { tables } = JSON.parse(readFileSync(join(backup, "backup.json"), "utf8")).contents.databases[0];
  const rows = (name: string) => tables.find((one: { table: string }) => one.table === name).rows;
  await sql`DROP TABLE a_first, z_last`;
  await sql.end();
  expect(rows("a_first")).toBeGreaterThan(0);
  expect(rows("z_last")).toBe(rows("a_first"));
});
