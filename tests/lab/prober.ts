/** Sends one job of probes by the engine, inside the namespace it is run in: job on stdin, outcome on stdout. */
import { type Engine, type ReceivedReply, startEngine } from "../../apps/probing/agent/engine/engine.ts";
import { address, formatAddress } from "../../lib/net/ip/address.ts";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import type { ProbeJob, ProbeOutcome, SeenReply } from "./probe-job.ts";

const keptOfKindMax = 100;
const pauseMs = 2;

class Collector {
  readonly kept: SeenReply[] = [];
  total = 0;
  untimed = 0;
  fine = 0;
  wrong = 0;
  readonly #countOfKind = new Map<string, number>();
  readonly #sentAtUs: (srcPort: number) => number;

  /** `sentAtUs`: of the probe with this source port; 0 = its time is not known. */
  constructor(sentAtUs: (srcPort: number) => number) {
    this.#sentAtUs = sentAtUs;
  }

  readonly add = ({ reply, verdict, measurement }: ReceivedReply): void => {
    this.total++;
    const sentAtUs = this.#sentAtUs(reply.probeSrcPort);
    this.untimed += sentAtUs === 0 ? 1 : 0;
    if (reply.rttUs > 0) {
      // Subtracted in quarters of a microsecond, which is what the sender's time is exact to.
      const rttUs = Number(4n * reply.timeReceivedNs - 1000n * BigInt(Math.round(4 * sentAtUs))) / 4000;
      this.fine++;
      this.wrong += Math.abs(rttUs - reply.rttUs) > 0.76 ? 1 : 0;
    }
    const kind = {
      from: formatAddress(reply.replySrcAddr),
      to: formatAddress(reply.replyDstAddr),
      icmpType: reply.replyIcmpType,
      icmpCode: reply.replyIcmpCode,
      labels: reply.replyMplsLabels,
      dst: formatAddress(reply.probeDstAddr),
      srcPort: reply.probeSrcPort,
      ttl: reply.probeTtl,
      verdict,
      rewritten: reply.replyRewritten,
    };
    const name = JSON.stringify(kind);
    const count = (this.#countOfKind.get(name) ?? 0) + 1;
    this.#countOfKind.set(name, count);
    if (count <= keptOfKindMax) {
      this.kept.push({ ...kind, measurement, rttTenthMs: reply.rttTenthMs });
    }
  };
}

async function send(engine: Engine, job: ProbeJob, collector: Collector): Promise<void> {
  const probes = job.probes.map((probe) => ({
    ...probe,
    src: address(probe.src),
    dst: address(probe.dst),
    index: probe.srcPort,
  }));
  for (let round = 0; round < job.rounds; round++) {
    for (const probe of probes) {
      while (!engine.offer(0, probe)) {
        engine.drain(collector.add);
        await Bun.sleep(pauseMs);
      }
    }
  }
  while (engine.pending(0) > 0) {
    engine.drain(collector.add);
    await Bun.sleep(pauseMs);
  }
}

async function receive(engine: Engine, job: ProbeJob, collector: Collector): Promise<void> {
  const until = performance.now() + job.waitMs;
  while (collector.total < job.repliesExpected && performance.now() < until) {
    await Bun.sleep(pauseMs);
    engine.drain(collector.add);
  }
}

async function runJob(job: ProbeJob): Promise<ProbeOutcome> {
  const { interfaceName, rateProbesPerSec, integrityCheck } = job;
  let engine: Engine;
  try {
    engine = await startEngine({
      agentId: "lab",
      integrityKey: new TextEncoder().encode("the key of the lab"),
      instances: [{ name: "lab", instanceId: 1, interfaceName, rateProbesPerSec }],
      sources: job.sources.flatMap((text) => parsePrefix(text) ?? []),
      integrityCheck,
      sentTimesMax: 65_536,
    });
  } catch (error) {
    const startError = error instanceof Error ? error.message : String(error);
    return {
      replies: [],
      repliesTotal: 0,
      untimed: 0,
      fine: 0,
      wrong: 0,
      counters: {},
      failures: [],
      startError,
    };
  }
  const collector = new Collector((srcPort) => engine.sentAtUs(srcPort));
  await send(engine, job, collector);
  await receive(engine, job, collector);
  await engine.stop(0);
  engine.drain(collector.add);
  return {
    replies: collector.kept,
    repliesTotal: collector.total,
    untimed: collector.untimed,
    ...{ fine: collector.fine, wrong: collector.wrong },
    counters: engine.counters(),
    failures: engine.failures(),
    startError: null,
  };
}

const job: ProbeJob = await Bun.stdin.json();
process.stdout.write(JSON.stringify(await runJob(job)));
