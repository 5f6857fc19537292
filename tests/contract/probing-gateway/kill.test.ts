/**
 * A gateway that is killed again and again while it accepts: what it answered for is published in full, what it has in
 * its database too, and nothing else; the quota is charged for exactly that.
 *
 * @alone: its processes are killed
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { inTier } from "../../run/tier.ts";
import { readAll } from "./all-records.ts";
import { insertAgent, probeText } from "./gateway-home.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { spooled } from "./spooled.ts";

const submissions = inTier({ usual: 60, long: 200 });
const kills = inTier({ usual: 2, long: 8 });
const recordProbes = 1000;

const folder = mkdtempSync(join(tmpdir(), "vantage-gateway-kill-"));
const config = join(folder, "gateway.yaml");
const stack = new AsyncDisposableStack();
let database: Database;
let gateway: GatewayProcess;

beforeAll(async () => {
  const postgres = stack.use(await sharedPostgres());
  const address = await postgres.createDatabase();
  writeFileSync(
    config,
    [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state", bypass_authentication: true }`,
      `database: { address: "${address}" }`,
      `kafka: { brokers: "embedded:${folder}/broker" }`,
      "limits: { probes_per_day: 100000000 }",
      "safety: { block_reserved_ranges: false }",
    ].join("\n"),
  );
  gateway = await GatewayProcess.start(config);
  database = stack.use(await openDatabase(address, { applicationName: "test" }));
  await insertAgent(database.sql, "west");
});
afterAll(async () => {
  await gateway?.kill();
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

interface Accepted {
  readonly id: string;
  readonly probes: number;
}

test("many submissions, and a gateway that is killed again and again meanwhile", async () => {
  const answered: Accepted[] = [];
  let isEnough = false;
  const submitter = async (): Promise<void> => {
    while (!isEnough) {
      // From one record to several turns of the publisher.
      const probes = 1 + Math.floor(Math.random() ** 3 * 12_000);
      const accepted = await submit(probes).catch(() => null);
      if (accepted === null) {
        await Bun.sleep(20);
      } else {
        answered.push(accepted);
      }
      isEnough ||= answered.length >= submissions;
    }
  };
  const submitters = Array.from({ length: 6 }, submitter);
  for (let i = 1; i <= kills; i++) {
    const enough = (i * submissions) / (kills + 1);
    while (answered.length < enough) {
      await Bun.sleep(1 + 4 * Math.random());
    }
    await gateway.kill();
    gateway = await GatewayProcess.start(config);
  }
  await Promise.all(submitters);
  await published();

  const rows = await database.sql<{ measurement_id: string; probes: number }[]>`
    SELECT measurement_id, probes FROM measurements`;
  const known = new Map(rows.map(({ measurement_id, probes }) => [measurement_id, probes]));
  for (const { id, probes } of answered) {
    expect([id, known.get(id)]).toEqual([id, probes]);
  }
  const [quota] = await database.sql`SELECT charged, submissions FROM quota_days`;
  const charged = rows.reduce((sum, { probes }) => sum + probes, 0);
  expect(quota).toMatchObject({ charged, submissions: rows.length });
  const { sent, repeated } = await sentProbes();
  expect(sent).toEqual(known);
  // In each kill, at most what was on its way to the broker goes out again: one turn, of less than 1 MB.
  expect(repeated).toBeLessThanOrEqual(kills * 20);
  expect(spooled(join(folder, "state/spool"))).toEqual([]);
  console.log(
    `${answered.length} answered, ${rows.length} accepted, ${repeated} records repeated in ${kills} kills`,
  );
});

async function submit(probes: number): Promise<Accepted | null> {
  const response = await fetch(`${gateway.url}api/probes?agents=west`, {
    method: "POST",
    headers: { "content-type": "text/csv" },
    body: probeText(probes),
  });
  if (response.status !== 200 && response.status !== 202) {
    throw new Error(`${response.status}: ${await response.text()}`);
  }
  return (await response.json()) as Accepted;
}

/** Until the gateway has published all that it accepted. */
async function published(): Promise<void> {
  for (;;) {
    const open = await database.sql`SELECT FROM measurements WHERE published_at IS NULL`;
    if (open.length === 0 && spooled(join(folder, "state/spool")).length === 0) {
      return;
    }
    await Bun.sleep(20);
  }
}

/** Probes of each measurement, each counted once, and the records that came more than once. */
async function sentProbes(): Promise<{ sent: Map<string, number>; repeated: number }> {
  await using broker = await openBroker(`embedded:${folder}/broker`);
  const sent = new Map<string, number>();
  const seen = new Set<string>();
  let repeated = 0;
  for (const { key, value, headers } of await readAll(broker, "measure-probes")) {
    const { first_probe: first } = JSON.parse(headers.west ?? "{}");
    expect(first % recordProbes).toBe(0);
    const name = `${key} ${first}`;
    if (seen.has(name)) {
      repeated++;
    } else {
      seen.add(name);
      sent.set(key, (sent.get(key) ?? 0) + value.length / 48);
    }
  }
  return { sent, repeated };
}
