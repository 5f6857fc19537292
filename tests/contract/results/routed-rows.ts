/** Probes and answers of flows through routers that a balancer chooses by chance, some of them silent. */
import type { RawRows } from "./raw-rows.ts";

const flows = 6;
const ttlMax = 5;
const [agent, destination] = ["south", "203.0.113.77"];

/** The same seed, the same rows; `seed` from 1. */
export function routedRows(measurement: string, seed: number): RawRows {
  let state = seed;
  const luck = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const startNs = BigInt(Date.now() - 3_600_000) * 1_000_000n;
  const cells = Array.from({ length: flows * ttlMax }, (_, index) => {
    const ttl = 1 + (index % ttlMax);
    const flow = {
      destination,
      protocol: 17,
      srcPort: 24_000 + Math.floor(index / ttlMax),
      dstPort: 33_434,
      ttl,
    };
    const from = ttl === ttlMax ? destination : `198.51.100.${10 * ttl + Math.floor(2 * luck())}`;
    const probe = { ...flow, measurement, agent, index, source: "::", timeMs: Date.now() - 3_700_000 };
    const reply = {
      ...{ ...flow, measurement, agent, sender: agent, instance: 0, source: "192.0.2.1", from },
      ...{
        replyProtocol: 1,
        icmpType: ttl === ttlMax ? 3 : 11,
        icmpCode: ttl === ttlMax ? 3 : 0,
        labels: [],
      },
      ...{ timeNs: startNs + BigInt(index) * 7n, rttTenthMs: Math.floor(1000 * luck()) },
    };
    return { probe, replies: luck() < 0.1 ? [] : [reply] };
  });
  return { probes: cells.map(({ probe }) => probe), replies: cells.flatMap(({ replies }) => replies) };
}
