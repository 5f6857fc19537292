/**
 * Two gateways on one PostgreSQL, with a real Kafka that goes away and comes back.
 *
 * @alone: it starts several gateways
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { endParts } from "../../../apps/probing/gateway/measurements/end-parts.ts";
import type { SubmissionAnswer } from "../../../apps/probing/gateway/submit/acceptance.ts";
import { expire, settleOverdue } from "../../../apps/probing/gateway/sweep.ts";
import { startKafka } from "../../kafka/kafka.ts";
import type { KafkaProcess } from "../../kafka/kafka-process.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { until } from "../../run/until.ts";
import { addAgent, GatewayHome, probeText } from "./gateway-home.ts";
import { cancel, eventually, stopped } from "./measurement-helpers.ts";

const stack = new AsyncDisposableStack();
let kafka: KafkaProcess;
let one: GatewayHome;
let two: GatewayHome;

beforeAll(async () => {
  const [broker, postgres] = await Promise.all([startKafka(), sharedPostgres()]);
  kafka = stack.use(broker);
  const databaseAddress = await stack.use(postgres).createDatabase();
  // Both migrate the empty database at the same time.
  const options = { databaseAddress, brokers: kafka.server };
  [one, two] = await Promise.all([GatewayHome.start(options), GatewayHome.start(options)]);
  stack.use(one);
  stack.use(two);
  await addAgent(one, "west");
});
afterAll(() => stack.disposeAsync());

const submit = (gateway: GatewayHome, user: string, probes: number) =>
  gateway.submit(user, probeText(probes), { type: "text/csv", query: "?agents=west" });

async function answerOf(response: Response): Promise<SubmissionAnswer> {
  return (await response.json()) as SubmissionAnswer;
}

/** First probe of each record, in order. */
async function firstProbes(id: string): Promise<number[]> {
  const records = await one.records(id);
  return records.map(({ headers }) => JSON.parse(headers.west ?? "{}").first_probe);
}

test("each has a name of its own, and both answer for what either accepted", async () => {
  expect(one.services.gatewayId).not.toBe(two.services.gatewayId);
  const response = await submit(one, "shared", 2500);
  // 202 where the broker took it only after the gateway's answer.
  expect([200, 202]).toContain(response.status);
  const { id } = await answerOf(response);
  expect(await two.json("shared", `/api/measurements/${id}/status`)).toMatchObject({
    total_expected_probes: 2500,
  });
  await eventually(async () => expect(await firstProbes(id)).toEqual([0, 1000, 2000]));
});

test("one quota holds for both", async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) => submit(i % 2 === 0 ? one : two, "race", 1000)),
  );
  const accepted = responses.filter(({ status }) => status === 200 || status === 202);
  // More than a gateway reads at once get 503; none here.
  expect(accepted).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(90);
  expect(await two.json("race", "/api/user/me")).toMatchObject({ used: 10_000, submission_count: 10 });
});

test("parts that end at the same moment at two gateways end the whole", async () => {
  await addAgent(one, "east");
  const query = "?agents=west,east";
  const { id } = await answerOf(await one.submit("ending", probeText(10), { type: "text/csv", query }));
  const end = (gateway: GatewayHome, agentId: string, meanwhile = async () => {}) =>
    gateway.services.database.sql.begin(async (tx) => {
      const ending = {
        measurementIds: [id],
        agentId,
        status: "failed",
        error: null,
        isSettled: true,
      } as const;
      await endParts(tx, ending);
      await meanwhile();
    });
  let isEnded = false;
  let other: Promise<void> = Promise.resolve();
  await end(one, "west", async () => {
    other = end(two, "east").then(() => {
      isEnded = true;
    });
    // It waits for us; if it did not, it would take our part for unfinished.
    await until(async () => isEnded || (await waitsForLock()));
  });
  await other;
  const { status, ended_at } = await two.json("ending", `/api/measurements/${id}/status`);
  expect([status, ended_at]).toEqual(["failed", expect.any(String)]);
});

test("cancelled, stopped, reported and expired at the same moment at two gateways: credited once", async () => {
  await addAgent(one, "east");
  const query = "?agents=west,east";
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const response = await one.submit("credits", probeText(10), { type: "text/csv", query });
    ids.push((await answerOf(response)).id);
  }
  const { sql } = one.services.database;
  const again = { times: 3 };
  while (again.times-- > 0) {
    await Promise.all([
      ...ids.map((id, i) => cancel(i % 2 === 0 ? one : two, "credits", id)),
      // One row a statement: an UPDATE of several locks them in any order, and the gateways keep to one.
      ...ids
        .slice(15)
        .map((id) => sql`UPDATE measurements SET not_after = now() WHERE measurement_id = ${id}`),
      stopped(two, ids, "west", 3),
      stopped(one, [...ids].reverse(), "west", 2),
      stopped(one, ids.slice(0, 10), "east", 4),
      ...[one, two].flatMap(({ services }) => [expire(services.database), settleOverdue(services.database)]),
    ]);
  }
  await stopped(two, ids, "west", 3);
  await stopped(two, ids, "east", 4);
  expect(await two.json("credits", "/api/user/me")).toMatchObject({ used: 20 * (3 + 4) });
  await sql`UPDATE measurements SET settle_at = now() WHERE measurement_id = ANY(${ids}::uuid[])`;
  await Promise.all([one, two].map(({ services }) => settleOverdue(services.database)));
  const [day] = await sql`
    SELECT charged, credited, (SELECT sum(credited_probes) FROM measurement_agents
      WHERE measurement_id = ANY(${ids}::uuid[]))::bigint AS noted
    FROM quota_days WHERE user_hash = (SELECT user_hash FROM measurements WHERE measurement_id = ${ids[0] ?? ""})`;
  expect(day).toMatchObject({ charged: 400, credited: 260, noted: 260 });
});

async function waitsForLock(): Promise<boolean> {
  const waiting = await one.services.database.sql`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM measurements%FOR UPDATE%'`;
  return waiting.length > 0;
}

test("while the broker is away: 202, published when it is back; what is cancelled meanwhile is not", async () => {
  await kafka.kill();
  const responses = await Promise.all([submit(one, "away", 1500), submit(one, "away", 700)]);
  expect(responses.map(({ status }) => status)).toEqual([202, 202]);
  const [kept, cancelled] = await Promise.all(responses.map(answerOf));
  expect(responses[0]?.headers.get("location")).toBe(`/api/measurements/${kept?.id}/status`);
  const cancellation = await two.json("away", `/api/measurements/${cancelled?.id}/cancel`, {
    method: "POST",
  });
  expect(cancellation).toMatchObject({ cancelled: true, agents_cancelled: 1 });
  // What was never published goes back when its gateway has heard of it, without a word of the agent.
  await until(async () => (await two.json("away", "/api/user/me")).used === 1500);
  await until(async () => (await one.services.spoolFolder.list()).length === 1);
  await kafka.startAgain();
  await until(async () => (await one.services.spoolFolder.list()).length === 0);
  // A record whose acknowledgement was lost comes twice: agents send it once.
  expect([...new Set(await firstProbes(kept?.id ?? ""))]).toEqual([0, 1000]);
  expect(await firstProbes(cancelled?.id ?? "")).toEqual([]);
  expect(one.logged.filter((line) => line.includes("The broker is back"))).toHaveLength(1);
});
