/**
 * Stores by chance, for properties: several agents, sources and protocols, branches, silent hops, answers that came
 * twice, from one router or from two, probes that were read twice, cells with hundreds of replies (thousands in the
 * long tier), replies and probes of others.
 */
import fc from "fast-check";
import { rttUnknownTenthMs } from "../../../lib/net/packet/reply.ts";
import { inTier } from "../../run/tier.ts";
import type { RawProbe, RawReply, RawRows } from "./raw-rows.ts";

const agents = ["west", "east", "north"];
const destinations = ["203.0.113.9", "203.0.113.200", "2001:db8:b::1", "2001:db8:b::ffff:1"];
const sources = ["192.0.2.1", "192.0.2.2", "::"];
const repliesMax = inTier({ usual: 600, long: 10_000 });
/** Answers of one router to a flow and TTL that have copies. */
const copiedMax = 300;
/** Greater than any number of rows, and prime: steps through it in an order of their own meet no place twice. */
const timePlaces = 1_000_003;
const timeStep = 7919;

const answers = fc.record({
  /** 5 is the destination. */
  router: fc.integer({ min: 0, max: 5 }),
  count: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 90, max: repliesMax }) },
  ),
  kind: fc.integer({ min: 0, max: 9 }),
  rtt: fc.integer({ min: 0, max: 2000 }),
  spread: fc.integer({ min: 1, max: 900 }),
  heardBy: fc.integer({ min: 0, max: agents.length - 1 }),
  isSenderKnown: fc.boolean(),
  hasLabels: fc.boolean(),
  /** Copies of each answer, a tick of 0.1 ms or more behind it; from the next router, or from the same. */
  copies: fc.constantFrom(0, 0, 0, 1, 2),
  copyDelayTicks: fc.integer({ min: 0, max: 300 }),
  isCopyOfOther: fc.boolean(),
});

const cell = fc.record({
  agent: fc.integer({ min: 0, max: agents.length - 1 }),
  destination: fc.integer({ min: 0, max: destinations.length - 1 }),
  protocol: fc.constantFrom("udp", "udp", "icmp", "tcp"),
  flow: fc.integer({ min: 0, max: 2 }),
  ttl: fc.integer({ min: 1, max: 6 }),
  source: fc.integer({ min: 0, max: sources.length - 1 }),
  /** Probes beside those that were answered: silent ones, or fewer than were answered. */
  unanswered: fc.integer({ min: -4, max: 12 }),
  isReadTwice: fc.boolean(),
  answers: fc.array(answers, { maxLength: 3 }),
});
type Cell = typeof cell extends fc.Arbitrary<infer Value> ? Value : never;

/** Rows of `measurement`, and some of others. */
export function randomRows(measurement: string): fc.Arbitrary<RawRows> {
  return fc.array(cell, { minLength: 1, maxLength: 30 }).map((cells) => rowsOf(measurement, cells));
}

function rowsOf(measurement: string, cells: readonly Cell[]): RawRows {
  const startNs = BigInt(Date.now() - 3_600_000) * 1_000_000n;
  const probes: RawProbe[] = [];
  const replies: RawReply[] = [];
  for (const one of cells) {
    const flow = flowOf(one);
    const sent = Math.max(0, one.unanswered + one.answers.reduce((all, { count }) => all + count, 0));
    for (let i = 0; i < sent; i++) {
      const source = sources[one.source] ?? "";
      const agent = agents[one.agent] ?? "";
      const timeMs = Date.now() - 3_700_000;
      const probe = { ...flow, measurement, agent, source, index: probes.length, timeMs };
      probes.push(...(one.isReadTwice ? [probe, probe] : [probe]));
    }
    for (const given of one.answers) {
      for (let i = 0; i < given.count; i++) {
        const place = (replies.length * timeStep) % timePlaces;
        const timeNs = startNs + BigInt(place) * 1_000n;
        const reply = { ...replyOf(one, given, i), ...flow, measurement, timeNs };
        replies.push(reply, ...(i < copiedMax ? copiesOf(reply, one, given) : []));
      }
    }
  }
  return withOthers({ probes, replies }, startNs);
}

/** What a router that answers twice, or a second router, says to the same probe: both times are as much later. */
function copiesOf(
  reply: RawReply & { readonly rttUs: number },
  one: Cell,
  given: Cell["answers"][number],
): RawReply[] {
  const other = replyOf(one, { ...given, router: (given.router + 1) % 6 }, 0);
  const from = given.isCopyOfOther ? other.from : reply.from;
  return Array.from({ length: given.copies }, (_, i) => {
    const ticks = given.copyDelayTicks * (i + 1);
    const timeNs = reply.timeNs + BigInt(100_000 * ticks + i + 1);
    const isKnown = reply.rttTenthMs !== rttUnknownTenthMs;
    const rttTenthMs = isKnown ? reply.rttTenthMs + ticks : rttUnknownTenthMs;
    return { ...reply, from, timeNs, rttTenthMs, rttUs: reply.rttUs === 0 ? 0 : reply.rttUs + 100 * ticks };
  });
}

function flowOf({ destination, protocol, flow, ttl }: Cell) {
  const to = destinations[destination] ?? "";
  const numbers = { udp: 17, tcp: 6, icmp: to.includes(":") ? 58 : 1 };
  return { destination: to, protocol: numbers[protocol], srcPort: 24_000 + flow, dstPort: 33_434, ttl };
}

function replyOf(one: Cell, given: Cell["answers"][number], i: number) {
  const to = destinations[one.destination] ?? "";
  const isV6 = to.includes(":");
  const router = isV6
    ? `2001:db8:${one.ttl}::${given.router + 1}`
    : `198.51.100.${10 * one.ttl + given.router}`;
  const isKnown = (i * 31 + given.rtt) % 9 !== 0;
  const rttTenthMs = isKnown ? given.rtt + ((i * 7919) % given.spread) : rttUnknownTenthMs;
  return {
    agent: agents[given.heardBy] ?? "",
    sender: given.isSenderKnown ? (agents[one.agent] ?? "") : "",
    instance: given.kind % 2,
    source: "192.0.2.1",
    from: given.router === 5 ? to : router,
    ...icmpOf(given.kind, isV6),
    rttTenthMs,
    // Of two thirds, and up to a tick off: the ends of both times are cut to their ticks.
    rttUs: isKnown && i % 3 !== 0 ? Math.max(1, 100 * rttTenthMs + ((i * 389) % 199) - 99) : 0,
    labels: given.hasLabels ? [{ label: 24_000 + (i % 3), exp: 1, bottomOfStack: true, ttl: 1 }] : [],
  };
}

/** Mostly "time exceeded". */
function icmpOf(kind: number, isV6: boolean) {
  const replyProtocol = isV6 ? 58 : 1;
  switch (kind) {
    case 7:
      return { replyProtocol, icmpType: isV6 ? 1 : 3, icmpCode: 1 };
    case 8:
      return { replyProtocol: 6, icmpType: 0, icmpCode: 18 };
    case 9:
      return { replyProtocol, icmpType: 4, icmpCode: 0 };
    default:
      return { replyProtocol, icmpType: isV6 ? 3 : 11, icmpCode: 0 };
  }
}

/** The same flows in another measurement, and traffic of nobody's. */
function withOthers({ probes, replies }: RawRows, startNs: bigint): RawRows {
  const measurement = "99999999-9999-4999-8999-999999999999";
  const some = replies.slice(0, 20);
  const late = (i: number) => startNs + 2_000_000_000n + BigInt(i);
  return {
    probes: [...probes, ...probes.slice(0, 20).map((probe) => ({ ...probe, measurement }))],
    replies: [
      ...replies,
      ...some.map((reply, i) => ({ ...reply, measurement, timeNs: late(i) })),
      ...some.map((reply, i) => ({
        ...reply,
        ...{ measurement: "", sender: "", source: "198.51.100.250", destination: "203.0.113.250" },
        timeNs: late(1000 + i),
      })),
    ],
  };
}
