/** Pings and multipaths by chance, of the answers that traces by chance have. */
import fc from "fast-check";
import type { MultipathFlows } from "../../../lib/measuring/formats/multipath.ts";
import type { Ping } from "../../../lib/measuring/formats/ping.ts";
import { randomTrace } from "./random-traces.ts";

const ttl = 64;

/** The destination answers most, routers some. */
export const randomPing: fc.Arbitrary<Ping> = fc
  .record({ trace: randomTrace, lost: fc.integer({ min: 0, max: 5 }), by: fc.integer({ min: 2, max: 6 }) })
  .map(({ trace: { probes: _, ...trace }, lost, by }) => {
    const [icmp, echo] = trace.address.includes(":") ? [58, 129] : [1, 0];
    const replies = trace.replies
      .map((reply, i) => {
        const own = { ...reply, probe_ttl: ttl, reply_mpls_labels: [] };
        return i % by === 1
          ? own
          : {
              ...own,
              reply_src_addr: trace.address,
              reply_protocol: icmp,
              reply_icmp_type: echo,
              reply_icmp_code: 0,
            };
      })
      .sort((a, b) => (a.time_received < b.time_received ? -1 : 1));
    return { ...trace, ttl, sent: replies.length + lost, replies };
  });

/** Several flows of one agent to one destination. */
export const randomMultipath: fc.Arbitrary<MultipathFlows> = fc
  .array(randomTrace, { minLength: 1, maxLength: 4 })
  .map(([first, ...others]) => {
    if (first === undefined) {
      throw new Error("There is at least one flow");
    }
    const { probes, replies, src_port: _, round: __, ...place } = first;
    const same = others.filter(({ address }) => address.includes(":") === first.address.includes(":"));
    const flows = [{ probes, replies }, ...same].map((flow, i) => ({
      ...{ src_port: 24_000 + i, round: 0, probes: flow.probes, replies: flow.replies },
    }));
    return { ...place, flows };
  });
