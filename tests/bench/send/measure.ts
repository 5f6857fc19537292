/** Measures one sender once, at the far end of the link. */
import { join } from "node:path";
import { inNamespace, LabError } from "../../lab/namespaces.ts";
import { saidBy } from "../../run/said.ts";
import { linesOf } from "../lines.ts";
import { PeakMemory } from "../peak-memory.ts";
import type { Subject } from "./subjects.ts";
import type { VethLink } from "./veth-link.ts";

/** So much of a sender's packets may be lost on the way before a round does not count. */
const lossMax = 0.01;

export interface SendRound {
  /** Those that arrived. */
  readonly packetsPerSec: number;
  readonly cpuUsPerPacket: number;
  readonly peakMb: number;
}

/** Throws LabError when the sender fails or its packets do not arrive. */
export async function measureSending(link: VethLink, subject: Subject, packets: number): Promise<SendRound> {
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
  const { stdout: said, stderr: complaint, exitCode } = await saidBy(sender);
  if (exitCode !== 0 && !subject.hasNoEnd) {
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
