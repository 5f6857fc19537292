/**
 * What the probing gateway answers in a second, on an empty day and on one with 100,000 measurements, beside figures
 * that existing gateways gave on the same kind of machine: one core for the gateway, one for wrk, PostgreSQL 15.
 * The list of agents, which is asked for most, is also beside Caddy in the same run, with the same bytes.
 */
import type { BenchOptions } from "../options.ts";
import { usageOf } from "../pipeline/process-usage.ts";
import type { BenchReport, Figure } from "../report.ts";
import { Caddy } from "./caddy.ts";
import { GatewayRig } from "./gateway-rig.ts";
import { benchRequests, type Reference } from "./requests.ts";
import { runWrk } from "./wrk.ts";

const measurementsOfFullDay = 100_000;
const secondsDefault = 5;
/** What compiles as it runs is measured once it has. */
const warmUpSeconds = 1;
/** A submission is more code than a read: it is compiled for longer. */
const submissionsWarmUpSeconds = 4;

/** Shorter loads only show that the bench works: no full day, and not the largest request, which takes seconds. */
const secondsOfAll = 5;

const days = [
  { name: "", fill: 0 },
  { name: ", full day", fill: measurementsOfFullDay },
] as const;

const ours = "vantage";
const theirs = "existing gateways";
const caddy = "caddy";
const withCaddy = "GET /api/agents";

/** `count` = seconds of each load. Takes `rounds` x 12 of them. Rejects when a request fails. */
export async function benchGateway(options: BenchOptions, folder: string): Promise<BenchReport> {
  const seconds = options.count ?? secondsDefault;
  const figures = new Figures();
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await GatewayRig.start(`${folder}/${round}`);
    await submitSome(rig.gateway.url, folder, Math.min(seconds, submissionsWarmUpSeconds));
    for (const day of seconds < secondsOfAll ? days.slice(0, 1) : days) {
      await rig.fillDay(day.fill);
      for (const request of benchRequests.filter(({ isLarge }) => !isLarge || seconds >= secondsOfAll)) {
        const url = `${rig.gateway.url}${request.path}`;
        const load = { url, body: request.body, folder };
        if (request.body === null) {
          await runWrk({ ...load, seconds: warmUpSeconds });
        }
        const beforeSec = usageOf(rig.gateway.pid).cpuSec;
        const result = await runWrk({ ...load, seconds });
        const cpuSec = usageOf(rig.gateway.pid).cpuSec - beforeSec;
        const name = `${request.name}${day.name}`;
        figures.add(name, ours, {
          ...result,
          memoryMb: rig.peakMb(),
          cpuMs: (1000 * cpuSec) / result.requests,
        });
        const reference = day.fill === 0 ? request.existing : request.existingFullDay;
        if (reference !== null) {
          figures.add(name, theirs, reference);
        }
        if (request.name === withCaddy) {
          figures.add(name, caddy, await runCaddy(url, seconds, folder));
        }
      }
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "gateway",
    what: `Requests/s, 99th percentile, peak memory and CPU, ${seconds} s each, median of ${options.rounds} rounds`,
    subjects: [ours, theirs, caddy],
    references: [theirs, caddy],
    figures: figures.all(),
    notes: [
      "Existing gateways: recorded figures, not run here; they refuse 100,000 probes.",
      "Caddy: run here in turns, the same bytes out of its memory, on one core too.",
      `A full day has ${measurementsOfFullDay} measurements of the user.`,
      "Memory is the peak so far, CPU the time for one request.",
    ],
  };
}

/**
 * PostgreSQL plans by what it has counted in its tables, which it does within a minute of their first rows, and again
 * when a day is filled: so there are some.
 */
async function submitSome(gateway: string, folder: string, seconds: number): Promise<void> {
  for (const { path, body, isLarge } of benchRequests) {
    if (body !== null && !isLarge) {
      await runWrk({ url: `${gateway}${path}`, body, folder, seconds });
    }
  }
}

async function runCaddy(url: string, seconds: number, folder: string): Promise<Partial<Reference>> {
  await using server = await Caddy.start(await (await fetch(url)).text());
  return await runWrk({ url: server.url, body: null, seconds, folder });
}

class Figures {
  readonly #values = new Map<string, Map<string, number[]>>();

  add(name: string, subject: string, { requestsPerSec, p99Ms, memoryMb, cpuMs }: Partial<Reference>): void {
    this.#push(`${name}: requests/s`, subject, requestsPerSec);
    this.#push(`${name}: p99 ms`, subject, p99Ms);
    this.#push(`${name}: MB`, subject, memoryMb);
    this.#push(`${name}: CPU ms`, subject, cpuMs);
  }

  all(): Figure[] {
    return [...this.#values].map(([unit, rounds]) => ({
      unit,
      decimals: unit.endsWith("CPU ms") ? 3 : 1,
      rounds,
    }));
  }

  #push(unit: string, subject: string, value: number | undefined): void {
    if (value === undefined) {
      return;
    }
    const rounds = this.#values.get(unit) ?? new Map<string, number[]>();
    rounds.set(subject, [...(rounds.get(subject) ?? []), value]);
    this.#values.set(unit, rounds);
  }
}
