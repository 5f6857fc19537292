/** Probes of 1,400 bytes by both back ends beside C loops that send frames as long. */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { measureSending, type SendRound } from "./measure.ts";
import { backEnd, cLoop } from "./subjects.ts";
import { VethLink } from "./veth-link.ts";

const packetsDefault = 2_000_000;
const sizeBytes = 1400;

/** `folder` is for the compiled C loops. Throws when a sender fails or its packets do not arrive. */
export async function benchSized(options: BenchOptions, folder: string): Promise<BenchReport> {
  const packets = options.count ?? packetsDefault;
  const references = [await cLoop("sendmmsg", folder, sizeBytes), await cLoop("af-xdp", folder, sizeBytes)];
  const subjects = [backEnd("packet", sizeBytes), backEnd("xdp", sizeBytes), ...references];
  const rounds = new Map<string, SendRound[]>(subjects.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(await measureSending(link, subject, packets));
    }
  }
  const each = (of: (round: SendRound) => number) =>
    new Map([...rounds].map(([name, list]) => [name, list.map(of)]));
  return {
    bench: "sized",
    what: `${packets} UDP probes of ${sizeBytes} bytes (IPv4) over a veth pair, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: references.map(({ name }) => name),
    figures: [
      { unit: "packets/s", decimals: 0, rounds: each((round) => round.packetsPerSec) },
      { unit: "CPU µs/packet", decimals: 2, rounds: each((round) => round.cpuUsPerPacket) },
    ],
    notes: ["Counted at the receiver's interface, dropped there. The C loops send one fixed frame."],
  };
}
