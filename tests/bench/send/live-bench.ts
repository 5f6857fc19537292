/**
 * Live frames of real probes beside a C program of live frames, the C loop of AF_XDP, and zmap: what arrives, and what
 * leaves where the far end has a thread of its own.
 */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { measureSending, type SendRound } from "./measure.ts";
import { backEnd, cLoop, engine, lines, type Subject, zmap } from "./subjects.ts";
import { VethLink } from "./veth-link.ts";

/** Some seconds: `packet` sends for the first tenth of one. */
const packetsDefault = 4_000_000;
const linesMax = 2_000_000;

/** `folder` is for the compiled C loops. Throws when a sender fails or its packets do not arrive. */
export async function benchLive(options: BenchOptions, folder: string): Promise<BenchReport> {
  const packets = options.count ?? packetsDefault;
  const liveLoop = await cLoop("live-frames", folder);
  const xdpLoop = await cLoop("af-xdp", folder);
  const linesCount = Math.min(packets, linesMax);
  const linesToWire = { ...lines("live", folder, linesCount), packets: linesCount };
  const ours = [engine("live"), backEnd("live"), linesToWire];
  const arriving: (Subject & { readonly packets?: number })[] = [
    ...[...ours, liveLoop].map((subject) => ({ ...subject, farEnd: "gro" as const })),
    xdpLoop,
    ...(Bun.which(zmap.name) === null ? [] : [zmap]),
  ];
  const leaving = [engine("live"), backEnd("live"), liveLoop].map((subject) => {
    return { ...subject, farEnd: "thread" as const, overruns: true as const };
  });
  const arrived = new Map<string, SendRound[]>(arriving.map(({ name }) => [name, []]));
  const left = new Map<string, SendRound[]>(leaving.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of arriving) {
      arrived.get(subject.name)?.push(await measureSending(link, subject, subject.packets ?? packets));
    }
    for (const subject of leaving) {
      left.get(subject.name)?.push(await measureSending(link, subject, packets));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const each = (rounds: ReadonlyMap<string, readonly SendRound[]>, of: (round: SendRound) => number) =>
    new Map([...rounds].map(([name, list]) => [name, list.map(of)]));
  const references = [...arriving.slice(ours.length)].map(({ name }) => name);
  return {
    bench: "live",
    what: `Sending ${packets} UDP probes of 54 bytes (IPv4) by live frames, median of ${options.rounds} rounds`,
    subjects: arriving.map(({ name }) => name),
    references,
    figures: [
      { unit: "packets/s arriving", decimals: 0, rounds: each(arrived, (round) => round.packetsPerSec) },
      { unit: "CPU µs/packet", decimals: 2, rounds: each(arrived, (round) => round.cpuUsPerPacket) },
      { unit: "packets/s leaving", decimals: 0, rounds: each(left, (round) => round.packetsPerSec) },
      { unit: "CPU µs/packet leaving", decimals: 2, rounds: each(left, (round) => round.cpuUsPerPacket) },
    ],
    notes: [
      "Arriving: counted at the receiver's interface, which has GRO for live frames, on the core that sends.",
      "Leaving: the receiver has a thread of its own; what its full ring drops counts as sent.",
      "The C loops send one fixed frame.",
    ],
  };
}
