/** The rate that arrives beside the rate that was asked for, at the receiver's interface, and the gaps in it. */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { sendAtRate } from "../send/at-rate.ts";
import { VethLink } from "../send/veth-link.ts";
import { arrivalsOf } from "./arrivals.ts";

const ratesPerSec = [10, 1000, 100_000];
const windowMs = 5000;
const shares = [0, 0.01, 0.5, 0.99, 1];

const subject = "vantage";
const reference = "asked for";

/** `--count` is the length of the window in milliseconds. */
export async function benchRate(options: BenchOptions, folder: string): Promise<BenchReport> {
  const length = options.count ?? windowMs;
  const figures = ratesPerSec.map((rate) => ({
    unit: `at ${rate.toLocaleString("en")} packets/s`,
    decimals: 1,
    rounds: new Map<string, number[]>([
      [subject, []],
      [reference, [rate]],
    ]),
  }));
  const gapsUs = new Map<number, number[]>(ratesPerSec.map((rate) => [rate, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const [i, rate] of ratesPerSec.entries()) {
      const order = { backEnd: "packet", rateProbesPerSec: rate, windowMs: length } as const;
      const packets = await arrivalsOf({ link, folder, windowMs: length }, () => sendAtRate(link, order));
      const times = packets.map(({ timeNs }) => timeNs);
      figures[i]?.rounds.get(subject)?.push(times.length / (length / 1000));
      for (const gap of gapsOf(times)) {
        gapsUs.get(rate)?.push(gap);
      }
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "rate",
    what: `Packets/s that arrive in ${length / 1000} s, median of ${options.rounds} rounds`,
    subjects: [subject, reference],
    references: [reference],
    figures,
    notes: [
      `One packet more or less in the window is ${1000 / length} packets/s.`,
      "Gaps between packets, µs: shortest / 1 % / median / 99 % / longest, of all rounds",
      ...[...gapsUs].map(([rate, gaps]) => `  at ${rate.toLocaleString("en")}: ${distribution(gaps)}`),
    ],
  };
}

function gapsOf(timesNs: readonly bigint[]): number[] {
  return timesNs.slice(1).map((timeNs, i) => Number(timeNs - (timesNs[i] ?? 0n)) / 1000);
}

function distribution(gaps: readonly number[]): string {
  const sorted = Float64Array.from(gaps).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return shares.map((share) => at(share).toLocaleString("en", { maximumFractionDigits: 1 })).join(" / ");
}
