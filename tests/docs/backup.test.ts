/**
 * docs/operate/backup.md, as an operator follows it: what its commands restore is what was there.
 *
 * @tier long: tests/contract/backup does the same without the page
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { makeSubjectKey } from "../../apps/peering/gateway/subjects/subject-key.ts";
import { Sight } from "../../lib/engines/observe/sight.ts";
import { addBackupGauge } from "../../lib/engines/observe/state-gauges.ts";
import { databaseRows, logRows, storeRows } from "../contract/backup/contents.ts";
import type { Part } from "../contract/store/processes.ts";
import { startPostgres } from "../postgres/postgres.ts";
import type { PostgresProcess } from "../postgres/postgres-process.ts";
import { onPeering, onProbing } from "../upgrade/gateway-homes.ts";
import { probingDatabase, startPlatform } from "../upgrade/platform-contents.ts";
import { loadDump, releases, releasesFolder, type schemas, unpack } from "../upgrade/release-files.ts";
import { PageRun } from "./page-run.ts";

/** The newest release's platform stands for anybody's. */
const version = releases().at(-1) ?? "";
const folder = mkdtempSync(join(tmpdir(), "vantage-backup-"));
const stack = join(folder, "stack");
let running: Part;
let server: PostgresProcess;
let page: PageRun;

beforeAll(async () => {
  server = await startPostgres();
  unpack(join(releasesFolder, version, "platform.tar.xz"), stack);
  // Of no stack: its keys are not kept.
  rmSync(join(stack, "peering"), { recursive: true });
  const anywhere = "127.0.0.1:0";
  const places = ["--gateway-listen", anywhere, "--peering-listen", anywhere, "--issuer-port", "0"];
  running = await startPlatform(stack, ...places);
  const environment = {
    STACK: stack,
    PROBING: await configuration("probing"),
    PEERING: await configuration("peering"),
    NEW: await server.createDatabase(),
  };
  page = PageRun.open("docs/operate/backup.md", {
    scenes: { here: { environment } },
    notRun: { systemd: "tests/operator-day wipes and restores a machine by these commands" },
  });
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The configuration of a gateway with the release's database on a server. */
async function configuration(schema: (typeof schemas)[number]): Promise<string> {
  const address = await server.createDatabase();
  loadDump(join(releasesFolder, version, `${schema}.sql`), address);
  await (schema === "probing" ? onProbing : onPeering)(address, async () => {});
  const file = join(folder, `${schema}.yaml`);
  const keys = `subjects: { keys: ["${makeSubjectKey("2026-01-01")}"] }\nleases: { pool: ["2001:db8::/40"] }\n`;
  const place = `gateway: { state_dir: "${folder}/${schema}" }\ndatabase: { address: "${address}" }\n`;
  writeFileSync(file, place + (schema === "peering" ? keys : 'kafka: { brokers: "kafka.example:9092" }\n'));
  return file;
}

test("its commands run, and every table is restored, plain and encrypted", async () => {
  await page.runAll();
  running.process.kill("SIGTERM");
  expect(await running.ended()).toBe(0);
  for (const name of ["restored", "unsealed"]) {
    const restored = join(page.folder(), name);
    expect(await databaseRows(`pglite:${restored}/${probingDatabase}`)).toEqual(
      await databaseRows(`pglite:${stack}/${probingDatabase}`),
    );
    expect(await storeRows(`${restored}/store`)).toEqual(await storeRows(`${stack}/store`));
    expect(await logRows(`${restored}/broker`)).toEqual(await logRows(`${stack}/broker`));
  }
});

test("services report that a backup was made", async () => {
  for (const state of [stack, join(stack, "gateway")]) {
    const registry = new Registry();
    addBackupGauge(new Sight(registry), state);
    const [, atSec] = /^vantage_backup_timestamp_seconds (\S+)/m.exec(await registry.metrics()) ?? [];
    expect(Math.abs(Date.now() / 1000 - Number(atSec))).toBeLessThan(3600);
  }
});

test("an earlier backup's days are linked, and nothing of an encrypted one can be read", async () => {
  const manifest = (name: string) => readFileSync(join(page.folder(), name, "backup.json"), "utf8");
  const days = (name: string) =>
    JSON.parse(manifest(name)).contents.stores[0].tables.flatMap(({ days: all }: { days: object[] }) => all);
  expect(days("saturday")).toEqual(days("friday"));
  expect(manifest("sealed")).not.toContain("replies");
});
