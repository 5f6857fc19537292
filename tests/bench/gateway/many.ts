/**
 * One gateway with many agents, each with ten measurements that run: agents report their health and the progress of all
 * ten each second, as ours do, and users cancel some. How late reports are, how soon agents hear of a cancellation, and
 * what it takes.
 */
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { BenchOptions } from "../options.ts";
import { treeOf, usageOf } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";
import { agentPrefix, enrol } from "./enrol.ts";
import { GatewayRig } from "./gateway-rig.ts";
import { ReportingAgent } from "./reporting-agent.ts";

const agentsDefault = 1000;
const measurementsEach = 10;
const cancellations = 100;
/** On average. */
const cancelEveryMs = 100;
/** For the first reports, in which all is new, and what compiles meanwhile. */
const settleMs = 5000;
/** A cancellation of which its agent has not heard by then ends the bench. */
const hearMsMax = 30_000;
const lookEveryMs = 50;
const vantage = "vantage";

interface Reading {
  readonly cancelMs: readonly number[];
  readonly answerMs: readonly number[];
  readonly lateMs: readonly number[];
  readonly reportsPerSec: number;
  readonly cpuSecPerSec: Cpu;
  readonly cpuUsPerReport: number;
  readonly peakMb: number;
}

interface Cpu {
  readonly gateway: number;
  readonly database: number;
  readonly agents: number;
}

/** `count` = agents; `rounds` = readings of the same ones, ten at most. Rejects when the gateway refuses a report. */
export async function benchMany(options: BenchOptions, folder: string): Promise<BenchReport> {
  const agents = options.count ?? agentsDefault;
  const rounds = Math.min(options.rounds, measurementsEach);
  using _ = onCore("1");
  const readings = await readAll(agents, rounds, `${folder}/1`);
  const figure = (unit: string, decimals: number, of: (reading: Reading) => number) => ({
    unit,
    decimals,
    rounds: new Map([[vantage, readings.map(of)]]),
  });
  const quantiles = (what: string, of: (reading: Reading) => readonly number[]) =>
    [0.5, 0.99].map((share) =>
      figure(`${what}, ms p${100 * share}`, 0, (reading) => quantile(of(reading), share)),
    );
  return {
    bench: "many",
    what: `${agents} agents, ${measurementsEach * agents} measurements that run, median of ${rounds} readings`,
    subjects: [vantage],
    references: [],
    figures: [
      figure("reports/s asked", 0, () => agents),
      figure("reports/s answered", 0, ({ reportsPerSec }) => reportsPerSec),
      ...quantiles("answer to a request", ({ answerMs }) => answerMs),
      ...quantiles("report late", ({ lateMs }) => lateMs),
      ...quantiles("cancellation received", ({ cancelMs }) => cancelMs),
      figure("gateway CPU, µs a report", 0, ({ cpuUsPerReport }) => cpuUsPerReport),
      figure("gateway CPU, s/s", 2, ({ cpuSecPerSec }) => cpuSecPerSec.gateway),
      figure("PostgreSQL CPU, s/s", 2, ({ cpuSecPerSec }) => cpuSecPerSec.database),
      figure("agents' side CPU, s/s", 2, ({ cpuSecPerSec }) => cpuSecPerSec.agents),
      figure("gateway peak MB", 0, ({ peakMb }) => peakMb),
    ],
    notes: [
      "A report is two requests: the agent's health, and then the progress of its ten measurements.",
      "Late: the end of both after the time at which they were due.",
      "Received: from the user's request to the answer to the agent's report that names the measurement.",
      "One core for the gateway; PostgreSQL and all agents, a connection each, share the other.",
    ],
  };
}

async function readAll(count: number, rounds: number, folder: string): Promise<Reading[]> {
  await using rig = await GatewayRig.start(folder);
  const { url } = rig.gateway;
  const keys = await enrol(url, { folder, agents: count });
  const measurements = await run(rig, count);
  process.stderr.write(`${count} agents are enrolled\n`);
  const agents = keys.map(
    (key, n) => new ReportingAgent({ url, key, n, measurements: measurements[n] ?? [] }),
  );
  const reporting = Promise.all(agents.map((agent) => agent.run()));
  const readings: Reading[] = [];
  const read = async () => {
    const database = await postgresPid(rig);
    await Bun.sleep(settleMs);
    for (let round = 0; round < rounds; round++) {
      readings.push(await readOnce({ rig, agents, database, round }));
      process.stderr.write(`reading ${round + 1} of ${rounds}\n`);
    }
  };
  // A refusal ends all; nobody reports to the end of time.
  await Promise.race([read(), reporting]);
  for (const agent of agents) {
    agent.stop();
  }
  await reporting;
  return readings;
}

interface Round {
  readonly rig: GatewayRig;
  readonly agents: readonly ReportingAgent[];
  /** Process of PostgreSQL. */
  readonly database: number;
  /** Which of its measurements each agent has to end. */
  readonly round: number;
}

/** From the first cancellation until the last one has been heard. */
async function readOnce({ rig, agents, database, round }: Round): Promise<Reading> {
  for (const agent of agents) {
    agent.take();
  }
  const [beganMs, before] = [performance.now(), cpuSecOf(rig.gateway.pid, database)];
  const askedMs = await cancelSome(rig.gateway.url, agents, round);
  const cancelMs = await heardAfter(agents, askedMs);
  const seconds = (performance.now() - beganMs) / 1000;
  // Those that end after this moment do not belong to these seconds.
  const timed = agents.map((agent) => agent.take());
  const after = cpuSecOf(rig.gateway.pid, database);
  const lateMs = timed.flatMap((of) => of.lateMs);
  const used = (who: keyof Cpu) => after[who] - before[who];
  return {
    cancelMs,
    answerMs: timed.flatMap((of) => of.answerMs),
    lateMs,
    reportsPerSec: lateMs.length / seconds,
    cpuSecPerSec: {
      gateway: used("gateway") / seconds,
      database: used("database") / seconds,
      agents: used("agents") / seconds,
    },
    cpuUsPerReport: (1e6 * used("gateway")) / lateMs.length,
    peakMb: rig.peakMb(),
  };
}

function cpuSecOf(gateway: number, database: number): Cpu {
  const databaseSec = treeOf(database).reduce((sum, pid) => sum + usageOf(pid).cpuSec, 0);
  return { gateway: usageOf(gateway).cpuSec, database: databaseSec, agents: usageOf(process.pid).cpuSec };
}

/** The server's first process, of which all others are children. */
async function postgresPid({ database: { sql } }: GatewayRig): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`
    SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer AS pid`;
  return row?.pid ?? Number.NaN;
}

/** Ids by agent. */
async function run({ gateway, database: { sql } }: GatewayRig, agents: number): Promise<string[][]> {
  // The user is known from the first request on.
  await fetch(`${gateway.url}api/user/me`);
  const { userHash } = identityOf("test-user-id");
  const rows = await sql<{ id: string; agent: number }[]>`
    WITH made AS (
      INSERT INTO measurements (
        measurement_id, user_hash, gateway_id, request_digest, answer, probes, record_probes, day,
        published_probes, published_at, not_after)
      SELECT gen_random_uuid(), ${userHash}, 'bench', '', '{}', 1000000, 1000, (now() AT TIME ZONE 'UTC')::date,
        1000000, now(), now() + interval '1 hour'
      FROM generate_series(1, ${measurementsEach * agents})
      RETURNING measurement_id AS id
    ), placed AS (
      SELECT id, (row_number() OVER () % ${agents})::integer AS agent FROM made
    ), parts AS (
      INSERT INTO measurement_agents (measurement_id, agent_id, user_hash, expected_probes, status)
      SELECT id, ${agentPrefix} || agent, ${userHash}, 1000000, 'running' FROM placed
    ) SELECT id, agent FROM placed`;
  await sql`ANALYZE`;
  const byAgent = Map.groupBy(rows, ({ agent }) => agent);
  return Array.from({ length: agents }, (_, n) => (byAgent.get(n) ?? []).map(({ id }) => id));
}

/** When each was asked for, by agent's place in the list. */
async function cancelSome(
  url: string,
  agents: readonly ReportingAgent[],
  round: number,
): Promise<Map<number, Asked>> {
  const asked = new Map<number, Asked>();
  const count = Math.min(cancellations, agents.length);
  for (let i = 0; i < count; i++) {
    const place = Math.floor((i * agents.length) / count);
    const id = agents[place]?.measurements[round] ?? "";
    asked.set(place, { id, atMs: performance.now() });
    const response = await fetch(`${url}api/measurements/${id}/cancel`, { method: "POST" });
    if (!response.ok) {
      throw new Error(`A cancellation is answered ${response.status}: ${await response.text()}`);
    }
    await Bun.sleep(cancelEveryMs * Math.random() * 2);
  }
  return asked;
}

interface Asked {
  readonly id: string;
  readonly atMs: number;
}

/** How long each took, in ms. Rejects when one is not heard in time. */
async function heardAfter(
  agents: readonly ReportingAgent[],
  asked: ReadonlyMap<number, Asked>,
): Promise<number[]> {
  const untilMs = performance.now() + hearMsMax;
  const after = () =>
    [...asked].map(([place, { id, atMs }]) => (agents[place]?.receivedMs.get(id) ?? NaN) - atMs);
  let afterMs = after();
  while (afterMs.some(Number.isNaN)) {
    if (performance.now() > untilMs) {
      throw new Error(`Agents did not hear of ${afterMs.filter(Number.isNaN).length} cancellations`);
    }
    await Bun.sleep(lookEveryMs);
    afterMs = after();
  }
  return afterMs;
}

/** This process, and what it starts, on one core until disposed; the gateway is put on core 0 by its rig. */
function onCore(core: string): Disposable {
  const pin = (cores: string) =>
    Bun.spawnSync(["taskset", "--all-tasks", "--cpu-list", "--pid", cores, String(process.pid)]);
  const before = Bun.spawnSync(["taskset", "--cpu-list", "--pid", String(process.pid)]).stdout.toString();
  const cores = before.split(": ").at(-1)?.trim() ?? "";
  pin(core);
  return { [Symbol.dispose]: () => void pin(cores) };
}

/** The smallest value that this share of all does not exceed; NaN of none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
