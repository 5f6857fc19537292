/**
 * Whether probes leave when their time code says: the code of each beside the stamp that the kernel of the far end
 * gives it. The RTT of an answer is from the code, so what a probe is late makes it too long.
 */
import { tickOfNs, ticksPerWrap, tickUs } from "../../../lib/net/packet/time-code.ts";
import { LabError } from "../../lab/namespaces.ts";
import type { BenchOptions } from "../options.ts";
import { arrivalsOf } from "../rate/arrivals.ts";
import type { BenchReport } from "../report.ts";
import { sendAtRate } from "./at-rate.ts";
import { VethLink } from "./veth-link.ts";

const ratesPerSec = [10_000, 300_000];
const backEnds = ["packet", "xdp"] as const;
type BackEnd = (typeof backEnds)[number];
const windowMsDefault = 1000;
/** One packet in sixteen, by the last byte of its destination: tcpdump would lose some of all of them. */
const sample = "udp and ip[19] & 0x0f = 0";
/** Behind Ethernet and IPv4 without options; big-endian. */
const checksumAt = 14 + 20 + 6;

const figureOf = {
  "% within a tick": (late: Float64Array) => (100 * late.filter(isWithinTick).length) / late.length,
  "µs late, median": (late: Float64Array) => quantile(late, 0.5),
  "µs late, 99 %": (late: Float64Array) => quantile(late, 0.99),
} as const;

/** `--count`: milliseconds of the window. Throws LabError when packets are missed, or come before they left. */
export async function benchDeparture(options: BenchOptions, folder: string): Promise<BenchReport> {
  const windowMs = options.count ?? windowMsDefault;
  const subjects = ratesPerSec.flatMap((rate) =>
    backEnds.map((backEnd) => ({ rate, backEnd, name: `${backEnd}, ${rate.toLocaleString("en")}/s` })),
  );
  const rounds = new Map<string, Float64Array[]>(subjects.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, backEnd, rate } of subjects) {
      rounds.get(name)?.push(await latenessOf({ link, folder, windowMs, backEnd, rate }));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const firstUs = Math.min(...[...rounds.values()].flat().map((late) => (late[0] ?? 0) + tickUs));
  if (firstUs < 0) {
    throw new LabError(`A probe arrived ${-firstUs} µs before the tick in which it left`);
  }
  return {
    bench: "departure",
    what: `When probes arrive beside when their time code says they left, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [],
    figures: Object.entries(figureOf).map(([unit, of]) => ({
      unit,
      decimals: 1,
      rounds: new Map([...rounds].map(([name, list]) => [name, list.map(of)])),
    })),
    notes: [
      `A tick is ${tickUs} µs. Late: from the end of a probe's tick to the stamp of the far end's kernel.`,
      `The first of all came ${firstUs.toFixed(1)} µs after the start of its tick.`,
      `One packet in 16 of ${windowMs / 1000} s, on the core that sends.`,
    ],
  };
}

interface Sending {
  readonly link: VethLink;
  readonly folder: string;
  readonly windowMs: number;
  readonly backEnd: BackEnd;
  readonly rate: number;
}

/** Microseconds of each packet, from the end of its tick (the start is up to 100 earlier), in ascending order. */
async function latenessOf({ link, folder, windowMs, backEnd, rate }: Sending): Promise<Float64Array> {
  const packets = await arrivalsOf({ link, folder, windowMs, filter: sample }, () =>
    sendAtRate(link, { backEnd, rateProbesPerSec: rate, windowMs }),
  );
  return Float64Array.from(packets, ({ timeNs, frame }) => {
    const code = ((frame[checksumAt] ?? 0) << 8) | (frame[checksumAt + 1] ?? 0);
    const arrived = tickOfNs(timeNs);
    const behind = (arrived - code) % ticksPerWrap;
    // A little before its tick, which would be a fault, is not a whole wrap late.
    const ticks = behind > ticksPerWrap / 2 ? behind - ticksPerWrap : behind;
    return (ticks - 1) * tickUs + Number(timeNs % 100_000n) / 1000;
  }).sort();
}

function isWithinTick(lateUs: number): boolean {
  return lateUs >= -tickUs && lateUs <= tickUs;
}

function quantile(sorted: Float64Array, share: number): number {
  return Math.max(0, sorted[Math.round(share * (sorted.length - 1))] ?? 0);
}
