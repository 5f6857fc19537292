/** Measured round-trip times beside the delays that the lab's responder adds: what differs is the path, and error. */
import type { Protocol } from "../../../lib/net/packet/probe.ts";
import { Internet } from "../../lab/internet.ts";
import { probeFrom, probeGrid } from "../../lab/probe-from.ts";
import { targetAddress } from "../../lab/responder/scenario.ts";
import { interfaceTo } from "../../lab/routing.ts";
import { internet } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { spreadOf } from "../spread.ts";

/** Added by the hops that the responder plays, from this TTL on; eight kernels come before them. */
const delaysMs = [5, 50, 300];
const firstVirtualTtl = 9;
const flowsDefault = 100;

const reference = "added delay";
const protocols = ["udp", "icmp", "tcp"] as const satisfies readonly Protocol[];

/** A round of each protocol; the value of a round is the median of all its probes to one hop. */
export async function benchRtt(options: BenchOptions): Promise<BenchReport> {
  await using net = await Internet.start(internet);
  const figures = delaysMs.map((delayMs) => ({
    unit: `RTT at ${delayMs} ms (ms)`,
    decimals: 2,
    rounds: new Map<string, number[]>([...protocols.map(noRounds), [reference, [delayMs]]]),
  }));
  for (let round = 1; round <= options.rounds; round++) {
    for (const protocol of protocols) {
      const rttsMs = await measure(net, protocol, options.count ?? flowsDefault);
      figures.forEach(({ rounds }, i) => {
        rounds.get(protocol)?.push(rttsMs[i] ?? Number.NaN);
      });
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "rtt",
    what: `Median round-trip time to hops with a known delay, IPv4, median of ${options.rounds} rounds`,
    subjects: [...protocols, reference],
    references: [reference],
    figures,
    notes: [
      "The rest is what eight kernels, the responder's timer and the engine's clock take.",
      "The engine's RTTs: whole ticks of 0.1 ms.",
    ],
  };
}

function noRounds(protocol: Protocol): [string, number[]] {
  return [protocol, []];
}

async function measure(net: Internet, protocol: Protocol, flows: number): Promise<number[]> {
  const ttls = [firstVirtualTtl, firstVirtualTtl + delaysMs.length - 1] as const;
  const probes = probeGrid({ src: "192.0.2.2", dst: targetAddress(11).v4, protocol, flows, ttls });
  const order = { interfaceName: interfaceTo("eastAccess"), probes, repliesExpected: probes.length };
  const { replies } = await probeFrom(net, "east", { ...order, rateProbesPerSec: 1000, waitMs: 3000 });
  return delaysMs.map((_, i) => {
    const ofHop = replies.filter(({ ttl }) => ttl === firstVirtualTtl + i);
    return spreadOf(ofHop.map(({ rttTenthMs }) => rttTenthMs / 10)).median;
  });
}
