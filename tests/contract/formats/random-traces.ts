/** Traces by chance, as the view `traces` gives them: both families, all protocols, silent hops, labels. */
import fc from "fast-check";
import type { Trace, TraceReply } from "../../../lib/measuring/formats/trace.ts";

const startMs = Date.parse("2026-11-22T00:00:00Z");

const answer = fc.record({
  afterUs: fc.integer({ min: 0, max: 900_000_000 }),
  router: fc.integer({ min: 1, max: 250 }),
  kind: fc.constantFrom("exceeded", "exceeded", "exceeded", "refused", "target"),
  code: fc.constantFrom(0, 1, 3, 4, 9, 13),
  trafficClass: fc.constantFrom(0, 0, 0x22, 0xba, 255),
  mtu: fc.constantFrom(0, 576, 1400, 65_535),
  rttTenthMs: fc.option(fc.integer({ min: 0, max: 65_534 }), { freq: 12 }),
  ttl: fc.integer({ min: 1, max: 255 }),
  size: fc.integer({ min: 56, max: 1500 }),
  id: fc.integer({ min: 0, max: 65_535 }),
  labels: fc.array(
    fc.record({
      label: fc.integer({ min: 0, max: 0xfffff }),
      exp: fc.integer({ min: 0, max: 7 }),
      bottom_of_stack: fc.boolean(),
      ttl: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 4 },
  ),
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

const hop = fc.record({
  unanswered: fc.integer({ min: 0, max: 3 }),
  answers: fc.array(answer, { maxLength: 3 }),
});

export const randomTrace: fc.Arbitrary<Trace> = fc
  .record({
    agent: fc.constantFrom("west", "east", "nörd"),
    isV6: fc.boolean(),
    target: fc.integer({ min: 1, max: 250 }),
    protocol: fc.constantFrom("UDP", "ICMP", "TCP"),
    port: fc.integer({ min: 1, max: 65_535 }),
    firstTtl: fc.integer({ min: 1, max: 3 }),
    hops: fc.array(hop, { minLength: 1, maxLength: 20 }),
  })
  .map(({ agent, isV6, target, protocol, port, firstTtl, hops }) => {
    const address = isV6 ? `2001:db8:51::${target.toString(16)}` : `203.0.113.${target}`;
    const all = hops
      .map(({ unanswered, answers }, i) => ({
        ttl: firstTtl + i,
        sent: unanswered + answers.length,
        answers,
      }))
      .filter(({ sent }) => sent > 0);
    // Up to where the flow ends.
    const end = all.findIndex(({ answers }) => answers.some(({ kind }) => kind !== "exceeded"));
    const parts = end < 0 ? all : all.slice(0, end + 1);
    const replies = parts.flatMap(({ ttl, answers }) =>
      answers
        .map((one) => replyOf(one, { ttl, address, isV6, protocol }))
        .sort((a, b) => (a.time_received < b.time_received ? -1 : 1)),
    );
    return {
      ...{ measurement_id: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55", agent, address },
      protocol: protocol === "ICMP" && isV6 ? "ICMPv6" : protocol,
      ...{ src_port: port, dst_port: protocol === "ICMP" ? 0 : 33_434, round: 0 },
      probes: parts.map(({ ttl, sent }) => ({ ttl, sent })),
      replies,
    };
  });

interface Hop {
  readonly ttl: number;
  readonly address: string;
  readonly isV6: boolean;
  readonly protocol: string;
}

function replyOf(one: Answer, { ttl, address, isV6, protocol }: Hop): TraceReply {
  const router = isV6
    ? `2001:db8:2:${ttl.toString(16)}::${one.router.toString(16)}`
    : `198.51.100.${one.router}`;
  const icmp = isV6 ? 58 : 1;
  const isTcp = one.kind === "target" && protocol === "TCP";
  const types = { exceeded: isV6 ? 3 : 11, refused: isV6 ? 1 : 3, target: isV6 ? 129 : 0 };
  const type = one.kind === "target" && protocol === "UDP" ? types.refused : types[one.kind];
  const code = { exceeded: 0, refused: one.code, target: protocol === "UDP" ? (isV6 ? 4 : 3) : 0 }[one.kind];
  const seconds = new Date(startMs + one.afterUs / 1000).toISOString().slice(0, 19);
  return {
    time_received: `${seconds}.${String((one.afterUs % 1e6) * 1000).padStart(9, "0")}Z`,
    probe_ttl: ttl,
    reply_src_addr: one.kind === "target" ? address : router,
    rtt_ms: one.rttTenthMs === null ? null : one.rttTenthMs / 10,
    ...{
      reply_ttl: one.ttl,
      reply_quoted_ttl: one.kind === "target" ? 0 : 1,
      reply_size: one.size,
      reply_id: one.id,
    },
    reply_protocol: isTcp ? 6 : icmp,
    ...{ reply_icmp_type: isTcp ? 0 : type, reply_icmp_code: isTcp ? 18 : code },
    reply_mpls_labels: one.kind === "target" ? [] : one.labels,
    probe_src_addr: isV6 ? "2001:db8:f::1" : "192.0.2.1",
    probe_size: 20 + ttl,
    ...(one.kind === "target" || one.trafficClass === 0
      ? {}
      : { reply_quoted_traffic_class: one.trafficClass }),
    ...(type === 3 && code === 4 && !isV6 && one.mtu > 0 ? { reply_next_hop_mtu: one.mtu } : {}),
  };
}
