/**
 * Three gateways behind one address, on one PostgreSQL and a real Kafka. One is killed while users submit, and comes
 * back later: users go on by the others, with the keys of what got no answer. Each submission is one measurement, and
 * all that was answered for is published.
 *
 * @alone: it starts several gateways
 *
 * @tier long: two gateways tell the same (several.test.ts), and one that is killed (kill.test.ts)
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startKafka } from "../../kafka/kafka.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { readAll } from "./all-records.ts";
import { insertAgent, probeText } from "./gateway-home.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { spooled } from "./spooled.ts";

const submissions = 150;
const submitters = 6;
const names = ["one", "two", "three"] as const;
type Name = (typeof names)[number];
const killed = "two";

const folder = mkdtempSync(join(tmpdir(), "vantage-three-gateways-"));
const stack = new AsyncDisposableStack();
const gateways = new Map<Name, GatewayProcess>();
/** Connections that each has got. */
const taken: Record<Name, number> = { one: 0, two: 0, three: 0 };
let database: Database;
let brokers: string;
let address: string;

beforeAll(async () => {
  const [kafka, postgres] = await Promise.all([startKafka(), sharedPostgres()]);
  stack.use(kafka);
  const databaseAddress = await stack.use(postgres).createDatabase();
  brokers = kafka.server;
  for (const name of names) {
    mkdirSync(join(folder, name));
    const config = [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/${name}/state", bypass_authentication: true }`,
      `database: { address: "${databaseAddress}" }`,
      `kafka: { brokers: "${brokers}" }`,
      "limits: { probes_per_day: 100000000, user_address_rate: 0 }",
      "safety: { block_reserved_ranges: false }",
    ];
    writeFileSync(configOf(name), config.join("\n"));
    gateways.set(name, await GatewayProcess.start(configOf(name)));
  }
  database = stack.use(await openDatabase(databaseAddress, { applicationName: "test" }));
  await insertAgent(database.sql, "west");
  address = await startRelay();
});
afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.kill()));
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

function configOf(name: Name): string {
  return join(folder, name, "gateway.yaml");
}

/** The one address: each connection goes to the next gateway that runs, and ends with it. */
async function startRelay(): Promise<string> {
  let turn = 0;
  const server = createServer((near) => {
    const running = names.filter((name) => gateways.has(name));
    const name = running[turn++ % running.length] ?? "one";
    taken[name]++;
    const far = connect(Number(new URL(gateways.get(name)?.url ?? "").port), "127.0.0.1");
    const end = () => {
      near.destroy();
      far.destroy();
    };
    near.on("error", end).on("close", end).pipe(far);
    far.on("error", end).on("close", end).pipe(near);
  });
  stack.defer(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const place = server.address();
  return `http://127.0.0.1:${typeof place === "object" ? place?.port : 0}`;
}

interface Answered {
  readonly id: string;
  readonly probes: number;
}

/** A submission without an answer by then says what it met last, before the test's own limit ends it without a word. */
const submitMsMax = 240_000;

/** Again under its key until it is answered. */
async function submit(number: number): Promise<Answered & { tries: number }> {
  const signal = AbortSignal.timeout(submitMsMax);
  const probes = 1 + Math.floor(Math.random() ** 3 * 12_000);
  const headers = { "content-type": "text/csv", "idempotency-key": `key-${number}`, connection: "close" };
  const body = probeText(probes);
  for (let tries = 1; ; tries++) {
    const url = `${address}/api/probes?agents=west`;
    const response = await fetch(url, { method: "POST", headers, body, keepalive: false, signal }).catch(
      () => null,
    );
    if (signal.aborted) {
      throw new Error(
        `key-${number}, ${tries} tries: ${response === null ? "no answer" : await response.text()}`,
      );
    }
    if (response !== null && (response.status === 200 || response.status === 202)) {
      const answer = await response.json().catch(() => null);
      if (answer !== null) {
        return { ...(answer as Answered), tries };
      }
    }
    await Bun.sleep(10);
  }
}

test("one of three is killed and comes back: each submission is one measurement, and all is published", async () => {
  const answered: Answered[] = [];
  let [next, retried] = [0, 0];
  const submitting = Array.from({ length: submitters }, async () => {
    while (next < submissions) {
      const { tries, ...one } = await submit(next++);
      answered.push(one);
      retried += tries - 1;
    }
  });
  const reached = async (count: number) => {
    while (answered.length < count) {
      await Bun.sleep(2);
    }
  };
  await reached(submissions / 3);
  await gateways.get(killed)?.kill();
  gateways.delete(killed);
  await reached((2 * submissions) / 3);
  const atReturn = { ...taken };
  gateways.set(killed, await GatewayProcess.start(configOf(killed)));
  await Promise.all(submitting);
  await published();

  expect(Math.min(...Object.values(atReturn))).toBeGreaterThan(submissions / 3 / names.length / 2);
  const rows = await database.sql<{ measurement_id: string; probes: number }[]>`
    SELECT measurement_id, probes FROM measurements`;
  const known = new Map(rows.map(({ measurement_id, probes }) => [measurement_id, probes]));
  expect(new Map(answered.map(({ id, probes }) => [id, probes]))).toEqual(known);
  expect(known.size).toBe(submissions);
  const [quota] = await database.sql`SELECT charged, submissions FROM quota_days`;
  const charged = rows.reduce((sum, { probes }) => sum + probes, 0);
  expect(quota).toMatchObject({ charged, submissions });
  expect(await sentProbes()).toEqual(known);
  console.log(`${submissions} answered, ${retried} tried again; connections: ${JSON.stringify(taken)}`);
});

/** Until the gateways have published all that they accepted. */
async function published(): Promise<void> {
  for (;;) {
    const open = await database.sql`SELECT FROM measurements WHERE published_at IS NULL`;
    const kept = names.flatMap((name) => spooled(join(folder, name, "state/spool")));
    if (open.length === 0 && kept.length === 0) {
      return;
    }
    await Bun.sleep(50);
  }
}

/** Probes of each measurement in the broker; a record that came twice, from a turn that was cut off, counts once. */
async function sentProbes(): Promise<Map<string, number>> {
  await using broker = await openBroker(`kafka:${brokers}`);
  const sent = new Map<string, number>();
  const seen = new Set<string>();
  for (const { key, value, headers } of await readAll(broker, "measure-probes")) {
    const name = `${key} ${JSON.parse(headers.west ?? "{}").first_probe}`;
    if (!seen.has(name)) {
      seen.add(name);
      sent.set(key, (sent.get(key) ?? 0) + value.length / 48);
    }
  }
  return sent;
}
