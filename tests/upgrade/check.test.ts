/** `vantage upgrade --check` on what an earlier release has written: it lists what a start does, changes nothing. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../postgres/postgres.ts";
import type { PostgresProcess } from "../postgres/postgres-process.ts";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { onProbing } from "./gateway-homes.ts";
import { dumped, execute, loadDump, releases, releasesFolder, unpack } from "./release-files.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-upgrade-"));
const [oldest = ""] = releases();
const file = join(folder, "gateway.yaml");
let server: PostgresProcess;
let address = "";

const check = async (...args: string[]) => {
  const command = [...vantageCommand, "upgrade", "--check", ...args, "-o", "json"];
  const { exitCode, stdout, stderr } = await runToEnd(command);
  return { exitCode, stderr, rows: JSON.parse(stdout === "" ? "[]" : stdout) };
};

beforeAll(async () => {
  server = await startPostgres();
  address = await server.createDatabase();
  loadDump(join(releasesFolder, oldest, "probing.sql"), address);
  const broker = 'kafka: { brokers: "kafka.example:9092" }';
  writeFileSync(
    file,
    `gateway: { state_dir: "${folder}/state" }\ndatabase: { address: "${address}" }\n${broker}\n`,
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("a database of an earlier release: its migrations are listed, and then applied by a start", async () => {
  const before = dumped(address);
  const { exitCode, rows } = await check("--probing-gateway", file);
  expect(exitCode).toBe(0);
  const [{ part, version, new_version: newVersion, migrations }] = rows;
  expect(part).toBe("probing database");
  expect(version).toBeGreaterThan(0);
  expect(migrations).toHaveLength(newVersion - version);
  expect(migrations).toContain("tokens");
  expect(dumped(address)).toBe(before);

  await onProbing(address, async () => {});
  const after = await check("--probing-gateway", file);
  expect(after).toMatchObject({
    exitCode: 0,
    rows: [{ version: newVersion, migrations: [], problem: null }],
  });
});

test("a database of a newer program is refused, by the check and by a gateway", async () => {
  execute(
    address,
    "INSERT INTO schema_migrations (number, service, name, checksum) VALUES (9999, 'probing', 'later', 'x')",
  );
  const { exitCode, rows } = await check("--probing-gateway", file);
  expect(exitCode).toBe(1);
  expect(rows[0].problem).toContain("install a newer Vantage");
  const started = await runToEnd([...vantageCommand, "probing-gateway", "--config", file]);
  expect(started.exitCode).not.toBe(0);
  expect(started.stderr).toMatch(
    /its schema has version \d+, this program knows \d+; install a newer Vantage/,
  );
});

test("a stack of an earlier release: embedded databases, store and log", async () => {
  const stack = join(folder, "stack");
  unpack(join(releasesFolder, oldest, "platform.tar.xz"), stack);
  const { exitCode, rows } = await check("--stack", stack);
  expect(exitCode).toBe(0);
  const parts = rows.map(({ part }: { part: string }) => part);
  expect(parts).toEqual(expect.arrayContaining(["probing database", "column store", "log measure-replies"]));
  for (const { version, new_version: newVersion, migrations } of rows) {
    expect(migrations).toHaveLength(newVersion - version);
  }
});

test("without --check it changes nothing, and says what to do", async () => {
  const { exitCode, stderr } = await runToEnd([...vantageCommand, "upgrade"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("install the new program and restart the services");
});
