/**
 * What the peering gateway answers in a second with pools of ten, 65,536 and a million prefixes, and how long 100,000
 * mappings take, beside figures that existing gateways gave: one core for the gateway, one for wrk, PostgreSQL 15.
 */
import { runWrk } from "../gateway/wrk.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport, Figure } from "../report.ts";
import { PeeringRig } from "./peering-rig.ts";

interface Reference {
  readonly requestsPerSec: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
}

interface Pool {
  readonly prefixes: number;
  /** What existing gateways gave; null = not measured with such a pool. */
  readonly info: Reference | null;
  readonly lease: Reference | null;
}

/** Leases are asked for until so many of this pool's prefixes are leased, then timed once more. */
const poolToFill = 65_536;
const filledShare = 0.85;
/** Short loads, that the pool holds what the last ones take. */
const fillSeconds = 2;

const pools: readonly Pool[] = [
  { prefixes: 10, info: { requestsPerSec: 6040, p99Ms: 10, memoryMb: 12 }, lease: null },
  {
    prefixes: poolToFill,
    info: { requestsPerSec: 462, p99Ms: 471, memoryMb: 710 },
    lease: { requestsPerSec: 219, p99Ms: 479, memoryMb: 727 },
  },
  { prefixes: 1_048_576, info: null, lease: null },
];

const secondsDefault = 5;
const mappingsOf = 100_000;
const mappingsMsMax = 2000;

/** Shorter loads only show that the bench works: the smallest pool that can be leased from, and few mappings. */
const secondsOfAll = 5;

const ours = "vantage";
const theirs = "existing gateways";
const limit = "limit";

/** `count` = seconds of each load. Takes `rounds` x 5 of them, and what fills a pool. Rejects when a request fails. */
export async function benchPeering(options: BenchOptions, folder: string): Promise<BenchReport> {
  const seconds = options.count ?? secondsDefault;
  const figures = new Figures();
  for (let round = 1; round <= options.rounds; round++) {
    for (const pool of seconds < secondsOfAll ? pools.slice(1, 2) : pools) {
      await benchPool(pool, { seconds, folder: `${folder}/${round}-${pool.prefixes}`, figures });
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "peering",
    what: `Requests/s, 99th percentile and peak memory, ${seconds} s each, median of ${options.rounds} rounds`,
    subjects: [ours, theirs, limit],
    references: [theirs, limit],
    figures: figures.all(),
    notes: [
      "Existing gateways: recorded figures, not run here. Ours checks a token for each of 1,536 users.",
    ],
  };
}

interface Load {
  readonly seconds: number;
  readonly folder: string;
  readonly figures: Figures;
}

async function benchPool(pool: Pool, { seconds, folder, figures }: Load): Promise<void> {
  await using rig = await PeeringRig.start(folder, pool.prefixes);
  const name = (request: string) => `${request}, pool of ${pool.prefixes.toLocaleString("en")}`;
  const load = { body: null, seconds, folder };
  // Before any lease is taken: the answer grows with a user's leases, and not every pool gives as many.
  const info = await runWrk({
    ...load,
    url: `${rig.gateway.url}api/user/info`,
    script: infoScript(rig.tokens),
  });
  figures.addLoad(name("GET /api/user/info"), { ...info, memoryMb: rig.peakMb() }, pool.info);
  if (pool.prefixes > 10) {
    const url = `${rig.gateway.url}api/user/prefix`;
    const result = await runWrk({ ...load, url, script: leaseScript(rig.tokens, 0) });
    figures.addLoad(name("POST /api/user/prefix"), { ...result, memoryMb: rig.peakMb() }, pool.lease);
    if (pool.prefixes === poolToFill && seconds >= secondsOfAll) {
      const last = await leaseMost(result.requests, (leased) =>
        runWrk({ ...load, url, seconds: fillSeconds, script: leaseScript(rig.tokens, leased) }),
      );
      const share = `${100 * filledShare} % leased`;
      figures.addLoad(
        `${name("POST /api/user/prefix")}, ${share}`,
        { ...last, memoryMb: rig.peakMb() },
        null,
      );
    }
  }
  if (pool.prefixes === poolToFill) {
    await benchMappings(rig, seconds < secondsOfAll ? 1000 : mappingsOf, figures);
  }
}

type LoadResult = Awaited<ReturnType<typeof runWrk>>;

/** One load after the other until most of the pool is leased, `leased` so far; then one more, which is the answer. */
async function leaseMost(
  leased: number,
  lease: (leased: number) => Promise<LoadResult>,
): Promise<LoadResult> {
  let sum = leased;
  while (sum < filledShare * poolToFill) {
    sum += (await lease(sum)).requests;
  }
  return await lease(sum);
}

async function benchMappings(rig: PeeringRig, count: number, figures: Figures): Promise<void> {
  await rig.addUsers(count);
  const { elapsedMs, users } = await rig.readMappings();
  if (users < count) {
    throw new Error(`Only ${users} mappings have come of ${count}`);
  }
  const name = `GET /service/mappings, ${count.toLocaleString("en")} users`;
  figures.add(`${name}: ms`, ours, elapsedMs);
  figures.add(`${name}: ms`, limit, mappingsMsMax);
}

/** Each request asks for the next user, behind those who have leased before. */
function leaseScript(tokens: readonly string[], leased: number): string {
  return `${tokensScript(tokens)}
    local next_user = ${leased}
    request = function()
      next_user = next_user % #tokens + 1
      return wrk.format("POST", nil, {
        ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. tokens[next_user]
      }, '{"duration_hours":1}')
    end`;
}

function infoScript(tokens: readonly string[]): string {
  return `${tokensScript(tokens)}
    local next_user = 0
    request = function()
      next_user = next_user % #tokens + 1
      return wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. tokens[next_user] })
    end`;
}

function tokensScript(tokens: readonly string[]): string {
  return `local tokens = {${tokens.map((token) => `"${token}"`).join(",")}}`;
}

class Figures {
  readonly #values = new Map<string, Map<string, number[]>>();

  addLoad(name: string, found: Reference, existing: Reference | null): void {
    const subjects =
      existing === null
        ? [[ours, found] as const]
        : ([
            [ours, found],
            [theirs, existing],
          ] as const);
    for (const [subject, { requestsPerSec, p99Ms, memoryMb }] of subjects) {
      this.add(`${name}: requests/s`, subject, requestsPerSec);
      this.add(`${name}: p99 ms`, subject, p99Ms);
      this.add(`${name}: MB`, subject, memoryMb);
    }
  }

  add(unit: string, subject: string, value: number): void {
    const rounds = this.#values.get(unit) ?? new Map<string, number[]>();
    rounds.set(subject, [...(rounds.get(subject) ?? []), value]);
    this.#values.set(unit, rounds);
  }

  all(): Figure[] {
    return [...this.#values].map(([unit, rounds]) => ({ unit, decimals: 1, rounds }));
  }
}
