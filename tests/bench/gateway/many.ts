/**
 * One gateway with many agents, each with ten measurements that run: agents report their health and the progress of all
 * ten each second, as ours do, and users cancel some. How late reports are, how soon agents hear of a cancellation, and
 * what it takes.
 */
import { identityOf } from "../../../lib/auth/token-verifier.ts";
import type { BenchOptions } from "../options.ts";
import { usageOf } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";
import { agentPrefix, enrol } from "./enrol.ts";
import { GatewayRig } from "./gateway-rig.ts";
import { ReportingAgent } from "./reporting-agent.ts";

const agentsDefault = 1000;
const measurementsEach = 10;
const cancellations = 100;
const cancelEveryMs = 200;
/** For the first reports, in which all is new. */
const settleMs = 3000;
const vantage = "vantage";

interface Round {
  readonly cancelMs: number[];
  readonly lateMs: number[];
  readonly reports: number;
  readonly cpuPercent: number;
  readonly peakMb: number;
}

/** `count` = agents. Rejects when the gateway refuses a report. */
export async function benchMany(options: BenchOptions, folder: string): Promise<BenchReport> {
  const agents = options.count ?? agentsDefault;
  const rounds: Round[] = [];
  using _ = onCore("1");
  for (let round = 1; round <= options.rounds; round++) {
    rounds.push(await oneRound(agents, `${folder}/${round}`));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const figure = (unit: string, decimals: number, of: (round: Round) => number) => ({
    unit,
    decimals,
    rounds: new Map([[vantage, rounds.map(of)]]),
  });
  return {
    bench: "many",
    what: `${agents} agents, ${measurementsEach * agents} measurements that run, median of ${options.rounds} rounds`,
    subjects: [vantage],
    references: [],
    figures: [
      figure("reports/s", 0, ({ reports }) => reports),
      figure("report late, ms, p99", 0, ({ lateMs }) => quantile(lateMs, 0.99)),
      figure("cancel to agent, ms", 0, ({ cancelMs }) => quantile(cancelMs, 0.5)),
      figure("p99", 0, ({ cancelMs }) => quantile(cancelMs, 0.99)),
      figure("% of a core", 0, ({ cpuPercent }) => cpuPercent),
      figure("MB", 0, ({ peakMb }) => peakMb),
    ],
    notes: [
      "Each agent reports its health each second, and then the progress of its measurements: two requests.",
      "Late: the end of both after the time at which they were due.",
      "Cancel to agent: from the user's request to the answer to the agent's report that names the measurement.",
      "One core for the gateway; PostgreSQL and all agents on the other. The agents share 256 connections at most.",
    ],
  };
}

async function oneRound(count: number, folder: string): Promise<Round> {
  await using rig = await GatewayRig.start(folder);
  const { url, pid } = rig.gateway;
  const keys = await enrol(url, { folder, agents: count });
  const measurements = await run(rig, count);
  const agents = keys.map(
    (key, n) => new ReportingAgent({ url, key, n, measurements: measurements[n] ?? [] }),
  );
  const reporting = Promise.all(agents.map((agent) => agent.run()));
  // A refusal ends the round; nobody waits for the reporting before.
  reporting.catch(() => undefined);
  await Promise.race([Bun.sleep(settleMs), reporting]);
  const [beganMs, cpuSec] = [performance.now(), usageOf(pid).cpuSec];
  for (const agent of agents) {
    agent.forget();
  }
  const askedMs = await Promise.race([
    cancelSome(url, agents),
    reporting.then(() => new Map<string, number>()),
  ]);
  await Bun.sleep(2000);
  const seconds = (performance.now() - beganMs) / 1000;
  // Those that end after this moment do not belong to these seconds.
  const lateMs = agents.flatMap((agent) => agent.lateMs);
  const cpuPercent = (100 * (usageOf(pid).cpuSec - cpuSec)) / seconds;
  for (const agent of agents) {
    agent.stop();
  }
  await reporting;
  const heard = new Map(agents.flatMap((agent) => [...agent.heardMs]));
  const cancelMs = [...askedMs].map(([id, ms]) => (heard.get(id) ?? Number.POSITIVE_INFINITY) - ms);
  return { cancelMs, lateMs, reports: lateMs.length / seconds, cpuPercent, peakMb: rig.peakMb() };
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
      INSERT INTO measurement_agents (measurement_id, agent_id, expected_probes, status)
      SELECT id, ${agentPrefix} || agent, 1000000, 'running' FROM placed
    ) SELECT id, agent FROM placed`;
  await sql`ANALYZE`;
  const byAgent = Map.groupBy(rows, ({ agent }) => agent);
  return Array.from({ length: agents }, (_, n) => (byAgent.get(n) ?? []).map(({ id }) => id));
}

/** When each was asked for, by id. */
async function cancelSome(url: string, agents: readonly ReportingAgent[]): Promise<Map<string, number>> {
  const askedMs = new Map<string, number>();
  const count = Math.min(cancellations, agents.length);
  for (let i = 0; i < count; i++) {
    const id = agents[Math.floor((i * agents.length) / count)]?.measurements[0] ?? "";
    askedMs.set(id, performance.now());
    const response = await fetch(`${url}api/measurements/${id}/cancel`, { method: "POST" });
    if (!response.ok) {
      throw new Error(`A cancellation is answered ${response.status}: ${await response.text()}`);
    }
    await Bun.sleep(cancelEveryMs * Math.random() * 2);
  }
  return askedMs;
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
