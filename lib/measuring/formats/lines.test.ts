/** Iris and mtr: the members that their readers look for, on a trace whose figures are known by hand. */
import { expect, test } from "bun:test";
import { irisTraceroute, mtrReport } from "./lines.ts";
import type { Trace, TraceReply } from "./trace.ts";

const trace: Trace = {
  ...{ measurement_id: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55", agent: "west", address: "203.0.113.9" },
  ...{ protocol: "UDP", src_port: 24_000, dst_port: 33_434, round: 0 },
  probes: [
    { ttl: 1, sent: 4 },
    { ttl: 2, sent: 1 },
  ],
  replies: [reply(10, "00.010"), reply(13, "00.020"), reply(null, "00.030")],
};

function reply(rttMs: number | null, second: string): TraceReply {
  return {
    time_received: `2026-11-22T00:00:${second}000000Z`,
    ...{ probe_ttl: 1, reply_src_addr: "198.51.100.1", rtt_ms: rttMs, reply_ttl: 64, reply_quoted_ttl: 1 },
    ...{ reply_size: 56, reply_id: 0, reply_protocol: 1, reply_icmp_type: 11, reply_icmp_code: 0 },
    reply_mpls_labels: [{ label: 24_015, exp: 0, bottom_of_stack: true, ttl: 1 }],
    ...{ probe_src_addr: "192.0.2.1", probe_size: 29 },
  };
}

test("Iris: a flow with its replies as tuples, RTTs in tenths of a millisecond", () => {
  const label = [[24_015, 0, 1, 1]];
  const tuple = (time: string, rtt: number) => [
    ...[`2026-11-22T00:00:00.${time}Z`, 1, 1, 11, 0, 64, 56, label, "198.51.100.1", rtt],
  ];
  expect(irisTraceroute(trace)).toEqual({
    measurement_uuid: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    ...{ agent_uuid: "west", probe_protocol: 17, probe_src_addr: "192.0.2.1", probe_dst_addr: "203.0.113.9" },
    ...{ traceroute_start: "2026-11-22T00:00:00.000Z", traceroute_end: "2026-11-22T00:00:00.030Z" },
    flows: [
      {
        ...{ probe_src_port: 24_000, probe_dst_port: 33_434 },
        replies: [tuple("010", 100), tuple("020", 130), tuple("030", 65_535)],
      },
    ],
  });
});

test("mtr: figures of each hop, a silent one too; the standard deviation is that of a sample", () => {
  expect(mtrReport(trace)).toEqual({
    report: {
      mtr: { src: "192.0.2.1", dst: "203.0.113.9", tos: 0, tests: 4, psize: "29", bitpattern: "0x00" },
      hubs: [
        {
          ...{ count: 1, host: "198.51.100.1", "Loss%": 25, Snt: 4, Last: 13, Avg: 11.5, Best: 10, Wrst: 13 },
          StDev: 2.12132,
        },
        { count: 2, host: "???", "Loss%": 100, Snt: 1, Last: 0, Avg: 0, Best: 0, Wrst: 0, StDev: 0 },
      ],
    },
  });
});
