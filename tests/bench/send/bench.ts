/**
 * Packets per second and CPU time per packet of our senders beside zmap, masscan and plain C loops.
 *
 * Senders take turns, round after round, as one binary varies by a quarter between rounds: only figures of one run can
 * be compared. Counted is what arrives at the other end of the link, not what a sender says.
 */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { measureSending, type SendRound } from "./measure.ts";
import { backEnd, cLoop, engine, lines, masscan, zmap } from "./subjects.ts";
import { VethLink } from "./veth-link.ts";

/** Some seconds: what a program compiles at its start is not what is measured. */
const packetsDefault = 4_000_000;
/** References that Debian has. */
const scanners = [zmap, masscan];
/** `folder` is for the compiled C loops. Throws when a sender fails or its packets do not arrive. */
export async function benchSend(options: BenchOptions, folder: string): Promise<BenchReport> {
  const packets = options.count ?? packetsDefault;
  const absent = scanners.filter(({ name }) => Bun.which(name) === null);
  const references = [
    ...scanners.filter((scanner) => !absent.includes(scanner)),
    await cLoop("sendmmsg", folder),
    await cLoop("af-xdp", folder),
  ];
  const subjects = [
    ...[engine("packet"), engine("xdp"), backEnd("packet"), backEnd("xdp")],
    ...[lines("packet", folder, packets), lines("xdp", folder, packets), ...references],
  ];
  const rounds = new Map<string, SendRound[]>(subjects.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(await measureSending(link, subject, packets));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const each = (of: (round: SendRound) => number) =>
    new Map([...rounds].map(([name, list]) => [name, list.map(of)]));
  return {
    bench: "send",
    what: `Sending ${packets} UDP probes of 54 bytes (IPv4) over a veth pair, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: references.map(({ name }) => name),
    figures: [
      { unit: "packets/s", decimals: 0, rounds: each((round) => round.packetsPerSec) },
      { unit: "CPU µs/packet", decimals: 2, rounds: each((round) => round.cpuUsPerPacket) },
      { unit: "peak MB", decimals: 0, rounds: each((round) => round.peakMb) },
    ],
    notes: [
      "Counted at the receiver's interface, dropped there.",
      "CPU time is that of the whole process, its start included. The engine uses two threads, one to offer",
      "probes; the back end alone, the C loops (one fixed frame) and zmap (-T 1) send from one; masscan's packets are",
      "12 bytes shorter. Lines to wire: from",
      "the start of the client to the last packet, with client, embedded broker and agent on the same two cores.",
      "Peak memory is the agent's there, else that of the process that sends, sampled every 50 ms.",
      ...absent.map(({ name }) => `Without ${name}, which is not installed.`),
    ],
  };
}
