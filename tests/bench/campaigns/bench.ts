/**
 * How late one gateway begins runs of many campaigns of 60 s, and what that costs it; and how fast alerts look at runs.
 *
 * As many runs a second come due as 10,000 campaigns have, whatever `count` says: a smaller one takes less time.
 */
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { agentId, GatewayRig } from "../gateway/gateway-rig.ts";
import type { BenchOptions } from "../options.ts";
import { usageOf } from "../pipeline/process-usage.ts";
import type { BenchReport } from "../report.ts";
import { detectorPointsPerCpuSec } from "./detectors.ts";

const campaignsDefault = 10_000;
const everySec = 60;
/** A user has no more by default. */
const campaignsOfUser = 20;
/** Until the first run is due. */
const leadSec = 3;
/** Twice a minute's runs, where all campaigns take part: the second ones come while the first ones end. */
const runsOfAll = 2;
const seriesPointsDefault = 200_000;

/** `count` = campaigns. Rejects when a run is missing. */
export async function benchCampaigns(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? campaignsDefault;
  const runs = options.count === null ? runsOfAll : 1;
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await GatewayRig.start(`${folder}/${round}`);
    rounds.push(await measureRound(rig, count, runs));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const points = options.count === null ? seriesPointsDefault : 40 * options.count;
  const perMin = (kind: "traces" | "pings") => rounds.map(() => 60 * detectorPointsPerCpuSec(points, kind));
  const figure = (unit: string, decimals: number, subject: string, values: number[]) => ({
    ...{ unit, decimals },
    rounds: new Map([[subject, values]]),
  });
  const [gateway, detectors] = ["vantage", "vantage detectors"];
  const late = (what: keyof Round) => rounds.map((round) => round[what]);
  return {
    bench: "campaigns",
    what: `${count} campaigns of ${everySec} s, ${runs} runs each, median of ${options.rounds} rounds`,
    subjects: [gateway, detectors],
    references: [],
    figures: [
      figure("late ms p50", 0, gateway, late("p50Ms")),
      figure("late ms p99", 0, gateway, late("p99Ms")),
      figure("late ms most", 0, gateway, late("mostMs")),
      figure("CPU s/s", 2, gateway, late("cpuShare")),
      figure("runs/s", 0, gateway, late("runsPerSec")),
      figure("MB", 0, gateway, late("peakMb")),
      figure("traces/CPU min", 0, detectors, perMin("traces")),
      figure("pings/CPU min", 0, detectors, perMin("pings")),
    ],
    notes: [
      "One core for the gateway; PostgreSQL, the embedded log's reader and what ends measurements on the other.",
      "Late: from the plan of a run until its measurement is accepted, charged and on its way to the broker.",
      "Detectors: a run of one agent and target with 8 flows, of 8 hops (traces) or one (pings), through all of them.",
    ],
  };
}

interface Round {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly cpuShare: number;
  readonly runsPerSec: number;
  readonly peakMb: number;
}

async function measureRound({ gateway, database }: GatewayRig, count: number, runs: number): Promise<Round> {
  const spanSec = (count * everySec) / campaignsDefault + everySec * (runs - 1);
  await makeCampaigns(database, count, runs);
  await Bun.sleep(leadSec * 1000);
  const before = usageOf(gateway.pid);
  const startedAtMs = performance.now();
  const endMs = startedAtMs + spanSec * 1000;
  while (performance.now() < endMs) {
    await endSent(database);
    await Bun.sleep(250);
  }
  const after = usageOf(gateway.pid);
  const elapsedSec = (performance.now() - startedAtMs) / 1000;
  const wanted = count * runs;
  const late = await latenessMs(database, wanted);
  const at = (share: number) => late[Math.min(late.length - 1, Math.floor(share * late.length))] ?? 0;
  return {
    ...{ p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1) },
    cpuShare: (after.cpuSec - before.cpuSec) / elapsedSec,
    runsPerSec: wanted / elapsedSec,
    peakMb: after.peakMb,
  };
}

/** As the gateway makes them, but all at once; each is due a moment after the one before. */
async function makeCampaigns({ sql }: Database, count: number, runs: number): Promise<void> {
  const everyMs = (1000 * everySec) / campaignsDefault;
  const users = Math.ceil(count / campaignsOfUser);
  await sql`
    INSERT INTO users (user_hash, user_id)
    SELECT encode(sha256(user_number::text::bytea), 'hex'), 4278190080 - user_number * 256
    FROM generate_series(1, ${users}) AS user_number`;
  const definition = { agents: agentId, spread: 0 };
  const schedule = { timing: { kind: "every", everySec }, firstRun: 0, stopMs: null, runsMax: runs };
  const rest = { slipMs: 60_000, onMissed: "skip", overlap: "skip" };
  await sql`
    WITH planned AS (
      SELECT gen_random_uuid() AS id, number,
        date_trunc('milliseconds', now()) + ${leadSec} * interval '1 s' + number * ${everyMs} * interval '1 ms' AS start
      FROM generate_series(0, ${count - 1}) AS number
    ), made AS (
      INSERT INTO campaigns (campaign_id, user_hash, name, revision, phase, next_run, next_at)
      SELECT id, encode(sha256((number / ${campaignsOfUser} + 1)::text::bytea), 'hex'), concat('watch ', number), 1,
        'active', 0, start
      FROM planned RETURNING campaign_id
    )
    INSERT INTO campaign_revisions (campaign_id, revision, definition, schedule, probes, probes_per_day)
    SELECT campaign_id, 1, ${sql.json(definition)},
      ${sql.json({ ...schedule, ...rest })} || jsonb_build_object('startMs', floor(extract(epoch FROM start) * 1000)),
      '192.0.2.1,24000,33434,7,UDP', 1440
    FROM made JOIN planned ON id = campaign_id`;
  await sql`ANALYZE`;
}

/** As agents do that have got them from the broker and sent them. */
async function endSent({ sql }: Database): Promise<void> {
  await sql`UPDATE measurements SET ended_at = now() WHERE ended_at IS NULL AND published_at IS NOT NULL`;
}

/** Ascending, of as many runs as there are to be; waits for those that are late. */
async function latenessMs(database: Database, wanted: number): Promise<number[]> {
  for (;;) {
    const rows = await database.sql<{ late_ms: number }[]>`
      SELECT (extract(epoch FROM started_at - planned_at) * 1000)::float8 AS late_ms
      FROM campaign_runs JOIN campaign_steps USING (campaign_id, run) JOIN measurements USING (measurement_id)
      ORDER BY late_ms`;
    if (rows.length >= wanted) {
      return rows.map(({ late_ms: ms }) => ms);
    }
    const [passed] =
      await database.sql`SELECT state, reason FROM campaign_runs WHERE state NOT IN ('open', 'done')`;
    if (passed !== undefined) {
      throw new Error(`A run did not come: ${passed.state} ${passed.reason}`);
    }
    await endSent(database);
    await Bun.sleep(250);
  }
}
