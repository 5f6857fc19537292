/**
 * What a gateway does when its database or its disk leaves it in the middle of a submission.
 *
 * @alone: it waits for most of its time
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportGraceMs, sweepLateMs } from "../../../apps/probing/gateway/limits.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { freeze } from "../../faults/frozen.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import type { PostgresProcess } from "../../postgres/postgres-process.ts";
import { until } from "../../run/until.ts";
import { AgentCaller } from "../probing-gateway-agents/callers.ts";
import { readAll } from "./all-records.ts";
import { addAgent, GatewayHome, probeText } from "./gateway-home.ts";

const stack = new AsyncDisposableStack();
let postgres: PostgresProcess;
let home: GatewayHome;

beforeAll(async () => {
  postgres = stack.use(await startPostgres());
  home = stack.use(await GatewayHome.start({ databaseAddress: await postgres.createDatabase() }));
  await addAgent(home, "west");
});
afterAll(() => stack.disposeAsync());

const lines = { type: "text/csv", query: "?agents=west" };

test("a connection that breaks in the very statement that accepts: tried again, and accepted once", async () => {
  const { sql } = home.services.database;
  expect((await home.submit("unlucky", probeText(5), lines)).status).toBe(200);
  await using other = await openDatabase(home.services.config.database.address, { applicationName: "test" });
  const isHeld = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  const holding = other.sql.begin(async (tx) => {
    await tx`SELECT FROM quota_days FOR UPDATE`;
    isHeld.resolve();
    await mayGo.promise;
  });
  await isHeld.promise;
  const pending = home.submit("unlucky", probeText(7), lines);
  let broken = 0;
  while (broken < 2) {
    const ended = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%accept_submissions%' AND application_name LIKE 'vantage%'`;
    broken += ended.length;
    await Bun.sleep(10);
  }
  mayGo.resolve();
  await holding;
  expect((await pending).status).toBe(200);
  expect(await home.json("unlucky", "/api/user/me")).toMatchObject({ used: 12, submission_count: 2 });
});

test("while the database is away submissions get 503, and then go on", async () => {
  await postgres.kill();
  const response = await home.submit("patient", probeText(5), lines);
  expect([response.status, await response.json()]).toMatchObject([503, { code: "database_unavailable" }]);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  await postgres.startAgain();
  for (let status = 503; status !== 200; ) {
    ({ status } = await home.submit("patient", probeText(5), lines));
    await Bun.sleep(20);
  }
  expect(await home.json("patient", "/api/user/me")).toMatchObject({ used: 5, submission_count: 1 });
});

test("when its disk is full submissions get 503 too, and nothing of them is charged", async () => {
  const { sql } = home.services.database;
  await sql`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`;
  await sql`CREATE TRIGGER no_room BEFORE INSERT ON measurements EXECUTE FUNCTION no_room()`;
  const responses = await Promise.all(
    Array.from({ length: 3 }, () => home.submit("crammed", probeText(5), lines)),
  );
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
  await sql`DROP TRIGGER no_room ON measurements`;
  expect((await home.submit("crammed", probeText(5), lines)).status).toBe(200);
  expect(await home.json("crammed", "/api/user/me")).toMatchObject({ used: 5, submission_count: 1 });
});

test("agents that could not report, as the database was away, are waited for", async () => {
  await postgres.kill();
  expect((await home.submit("early", probeText(5), lines)).status).toBe(503);
  await postgres.startAgain();
  const { sql } = home.services.database;
  const miss = async (reports: number) => {
    await sql`
      UPDATE agents SET health_received_at = now() - ${reports} * report_interval_ms * interval '1 millisecond'`;
  };
  for (let isDone = false; !isDone; await Bun.sleep(20)) {
    isDone = await miss(100).then(
      () => true,
      () => false,
    );
  }
  const response = await home.submit("early", probeText(5), lines);
  expect([response.status, await response.json()]).toMatchObject([503, { code: "agents_unheard" }]);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  await miss(0);
  expect((await home.submit("early", probeText(5), lines)).status).toBe(200);
});

const ageReports = async (reports: number) => {
  await home.services.database.sql`
    UPDATE agents SET health_received_at = now() - ${reports} * report_interval_ms * interval '1 millisecond'`;
};
const refusal = async (sent: Promise<Response>) => {
  const response = await sent;
  const { code } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`;
};

test("so are they when nothing failed, as the database hung and then went on", async () => {
  const { reachability } = home.services;
  while (reachability.forMs < reportGraceMs) {
    await Bun.sleep(100);
  }
  await ageReports(100);
  expect(await refusal(home.submit("stuck", probeText(5), lines))).toBe("400 no_healthy_agents");
  const thaw = freeze(postgres.pid);
  const hung = refusal(home.submit("stuck", probeText(5), lines));
  await Bun.sleep(sweepLateMs + 1000);
  thaw();
  expect(await hung).toBe("503 agents_unheard");
  expect(await refusal(home.submit("stuck", probeText(5), lines))).toBe("503 agents_unheard");
  await ageReports(0);
});

test("and when the database takes no reports, as its disk is full, though it answers", async () => {
  const { reachability } = home.services;
  const { sql } = home.services.database;
  const east = await AgentCaller.ready(home, "east");
  await sql`
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`;
  await sql`CREATE TRIGGER full_disk BEFORE UPDATE ON agents EXECUTE FUNCTION full_disk()`;
  try {
    const before = reachability.forMs;
    const { status, body } = await east.post("/health", { healthy: true });
    expect([status, body]).toMatchObject([503, { code: "database_unavailable" }]);
    expect(reachability.forMs).toBeLessThan(before);
  } finally {
    await sql`DROP TRIGGER full_disk ON agents`;
  }
});

test("a blocked destination refuses the whole, and the first such probe is named", async () => {
  await home.services.database.sql`
    INSERT INTO blocked_prefixes (prefix, reason) VALUES ('198.51.100.0/24', 'asked us not to')`;
  await home.services.database.sql`UPDATE platform SET blocklist_version = blocklist_version + 1`;
  home.services.safety.destinationsChanged();
  const body = "192.0.2.1,1,2,3,udp\n198.51.100.7,1,2,3,udp\n192.0.2.1,1,2,3,udp\n198.51.100.8,1,2,3,udp\n";
  const response = await home.submit("blocked", body, lines);
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { code: "destination_blocked", blocked_probes: 2, first_blocked_index: 1 },
  ]);
  expect(await home.json("blocked", "/api/user/me")).toMatchObject({ used: 0 });
});

test("a spool that is full refuses, and has room again when it is published", async () => {
  const databaseAddress = await postgres.createDatabase();
  const yaml = "limits: { spool_bytes_max: 1048576, probes_per_day: 1000000 }";
  await using small = await GatewayHome.start({ databaseAddress, yaml });
  await addAgent(small, "west");
  const refused = await small.submit("big", probeText(30_000), lines);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "no_room" }]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await small.submit("big", probeText(20_000), lines)).status).toBe(200);
  await until(() => small.services.spoolFolder.bytes === 0);
  expect((await small.submit("big", probeText(20_000), lines)).status).toBe(200);
});

test("what was never accepted is removed at the next start, and what was goes out", async () => {
  const databaseAddress = await postgres.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), "vantage-gateway-again-"));
  try {
    const first = await GatewayHome.start({ databaseAddress, folder });
    await addAgent(first, "west");
    const { id } = (await (await first.submit("again", probeText(2500), lines)).json()) as { id: string };
    await first[Symbol.asyncDispose]();
    // As if it had been killed after the first record: its file, with that progress, and no word to the database.
    await using database = await openDatabase(databaseAddress, { applicationName: "test" });
    await database.sql`UPDATE measurements SET published_at = NULL`;
    const progress = new Uint8Array(8);
    new DataView(progress.buffer).setBigUint64(0, 1000n, true);
    const messages = (await recordsOf(first, id)).map(({ value }) => value);
    writeFileSync(join(folder, `state/spool/${id}.probes`), Buffer.concat([...messages, progress]));
    writeFileSync(join(folder, `state/spool/${crypto.randomUUID()}.probes`), "half a probe");
    await using second = await GatewayHome.start({ databaseAddress, folder });
    await until(() => second.services.spoolFolder.list().length === 0);
    const records = await second.records(id);
    const firsts = records.map(({ headers }) => JSON.parse(headers.west ?? "{}"));
    expect(firsts.map(({ first_probe }) => first_probe)).toEqual([0, 1000, 2000, 1000, 2000]);
    expect(firsts.map(({ end_of_measurement }) => end_of_measurement)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(records[3]?.value).toEqual(records[1]?.value as Uint8Array);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The gateway is closed; its broker's log is not. */
async function recordsOf(closed: GatewayHome, id: string) {
  await using broker = await openBroker(`embedded:${closed.folder}/broker`);
  return (await readAll(broker, "measure-probes")).filter(({ key }) => key === id);
}
