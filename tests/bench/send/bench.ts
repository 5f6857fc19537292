/**
 * Packets per second and CPU time per packet of our senders beside zmap, masscan and plain C loops.
 *
 * Senders take turns, round after round, as one binary varies by a quarter between rounds: only figures of one run can
 * be compared. Counted is what arrives at the other end of the link, not what a sender says.
 */
import { join } from "node:path";
import { inNamespace, LabError } from "../../lab/namespaces.ts";
import { linesOf } from "../lines.ts";
import type { BenchOptions } from "../options.ts";
import { PeakMemory } from "../peak-memory.ts";
import type { BenchReport } from "../report.ts";
import { backEnd, cLoop, engine, lines, masscan, type Subject, zmap } from "./subjects.ts";
import { VethLink } from "./veth-link.ts";

/** Some seconds: what a program compiles at its start is not what is measured. */
const packetsDefault = 4_000_000;
/** References that Debian has. */
const scanners = [zmap, masscan];
/** So much of a sender's packets may be lost on the way before a round does not count. */
const lossMax = 0.01;

interface Round {
  readonly packetsPerSec: number;
  readonly cpuUsPerPacket: number;
  readonly peakMb: number;
}

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
  const rounds = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]));
  await using link = await VethLink.make();
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(await measure(link, subject, packets));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const each = (of: (round: Round) => number) =>
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
      "Peak memory is the agent's there, else that of the process that sends, looked at every 50 ms.",
      ...absent.map(({ name }) => `Without ${name}, which is not installed.`),
    ],
  };
}

async function measure(link: VethLink, subject: Subject, packets: number): Promise<Round> {
  const watchFile = join(import.meta.dirname, "watch.ts");
  const watch = Bun.spawn(inNamespace(link.receiver, [process.execPath, watchFile, String(packets)]), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const watched = linesOf(watch.stdout);
  await watched.next();
  const sender = Bun.spawn(inNamespace(link.sender, subject.command(link, packets)), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  using peak = new PeakMemory(sender.pid);
  const seenAll = watched.next();
  if (subject.hasNoEnd) {
    void seenAll.then(() => sender.kill("SIGKILL"));
  }
  const [said, complaint] = await Promise.all([
    new Response(sender.stdout).text(),
    new Response(sender.stderr).text(),
  ]);
  if ((await sender.exited) !== 0 && !subject.hasNoEnd) {
    watch.kill();
    throw new LabError(`Cannot send with ${subject.name}: ${complaint.trim()}`);
  }
  const { value } = await seenAll;
  const { packets: arrived, ...seen } = JSON.parse(value ?? "null");
  if (arrived < packets * (1 - lossMax)) {
    throw new LabError(
      `Only ${arrived} of ${packets} packets of ${subject.name} arrived: ${complaint.trim()}`,
    );
  }
  const usage = sender.resourceUsage();
  const cpuUsPerPacket = Number(usage?.cpuTime.total ?? 0) / arrived;
  if (subject.timesItself) {
    const { elapsedMs, agent } = JSON.parse(said);
    return { packetsPerSec: arrived / (elapsedMs / 1000), cpuUsPerPacket, peakMb: agent.peakMb };
  }
  const packetsPerSec = seen.timed / (seen.elapsedMs / 1000);
  // Of one that was over before a look: too much, but no more is known.
  return { packetsPerSec, cpuUsPerPacket, peakMb: peak.megabytes || (usage?.maxRSS ?? 0) / 1e6 };
}
