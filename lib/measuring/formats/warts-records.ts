/** Traces and pings of warts, from their objects (see warts-trace.ts and warts-ping.ts for what is where). */
import { tickUs } from "../../net/packet/time-code.ts";
import type { ImportedTrace } from "./imported-trace.ts";
import type { TraceReply } from "./trace.ts";
import {
  counted,
  type MonitorOf,
  noReply,
  old,
  protocolOf,
  type ReplyGiven,
  readLabels,
  replyOf,
} from "./warts-answers.ts";
import type { WartsCursor } from "./warts-cursor.ts";
import { countsByAttempts, readCounts } from "./warts-probe-counts.ts";

const traceProtocols: Readonly<Record<number, string>> = {
  ...{ 1: "ICMP", 4: "ICMP", 2: "UDP", 5: "UDP", 3: "TCP", 6: "TCP" },
};
const pingProtocols: Readonly<Record<number, string>> = {
  ...{ 0: "ICMP", 5: "ICMP", 3: "UDP", 4: "UDP", 1: "TCP", 2: "TCP", 6: "TCP" },
};

/** Attempts continue after an answer. */
const allAttempts = 1;

export function readTrace(from: WartsCursor, monitorOf: MonitorOf): ImportedTrace {
  const head = {
    list: 0,
    startUs: 0,
    attempts: 1,
    flags: 0,
    method: 0,
    size: 0,
    srcPort: 0,
    dstPort: 0,
    first: 1,
    hops: 0,
  };
  let [source, address] = ["", ""];
  const [u8, u16] = [() => from.u8(), () => from.u16()];
  from.parameters({
    ...headParameters(from, head),
    ...{
      6: u8,
      7: u8,
      8: () => (head.flags = u8()),
      9: () => (head.attempts = u8()),
      10: u8,
      11: () => (head.method = u8()),
    },
    ...{ 12: () => (head.size = u16()), 13: () => (head.srcPort = u16()), 14: () => (head.dstPort = u16()) },
    ...{ 15: () => (head.first = u8()), 16: u8, 17: u8, 18: u8, 19: () => (head.hops = u16()) },
    ...{ 20: u8, 21: u8, 22: u8, 23: u16, 24: u8, 25: u8 },
    ...{ 26: () => (source = from.address()), 27: () => (address = from.address()) },
  });
  const replies = Array.from({ length: counted(from, from.u16()) }, () =>
    readHop(from, head.startUs, head.size),
  );
  const protocol = protocolOf(from, traceProtocols[head.method], address);
  const last = Math.min(255, Math.max(head.hops, ...replies.map(({ reply }) => reply.probe_ttl)));
  const said = {
    ...{ first: head.first, last, attempts: head.attempts, isAll: (head.flags & allAttempts) !== 0 },
    answers: replies.map(({ reply, attempt }) => ({ ttl: reply.probe_ttl, attempt })),
  };
  return {
    ...{ agent: monitorOf(head.list), address, protocol, source, startUs: head.startUs },
    ...portsOf(protocol, head.srcPort, head.dstPort),
    probes: readCounts(from) ?? countsByAttempts(said),
    replies: replies.map(({ reply }) => ({ ...reply, probe_src_addr: source })),
  };
}

/** Parameters 1 to 5, which traces and pings begin with alike. */
function headParameters(from: WartsCursor, head: { list: number; startUs: number }) {
  const u32 = () => from.u32();
  return {
    1: () => (head.list = u32()),
    2: u32,
    3: old(from),
    4: old(from),
    5: () => (head.startUs = from.time()),
  };
}

function portsOf(protocol: string, srcPort: number, dstPort: number) {
  // With ICMP, it is the checksum.
  return { src_port: srcPort, dst_port: protocol.startsWith("ICMP") ? 0 : dstPort };
}

interface HopGiven {
  readonly reply: TraceReply;
  readonly attempt: number;
}

function readHop(from: WartsCursor, startUs: number, size: number): HopGiven {
  const hop = { ...noReply, size };
  let attempt = 0;
  const [u8, u16] = [() => from.u8(), () => from.u16()];
  from.parameters({
    ...{
      1: old(from),
      2: () => (hop.probeTtl = u8()),
      3: () => (hop.ttl = u8()),
      4: u8,
      5: () => (attempt = u8()),
    },
    ...{ 6: () => (hop.rtt = from.u32()), 7: () => ([hop.type, hop.code] = [u8(), u8()]) },
    ...{
      8: () => (hop.size = u16()),
      9: () => (hop.replySize = u16()),
      10: () => (hop.id = u16()),
      11: u8,
      12: () => (hop.nextHopMtu = u16()),
    },
    ...{ 13: u16, 14: () => (hop.quotedTtl = u8()), 15: () => (hop.tcpFlags = u8()) },
    16: () => (hop.quotedTrafficClass = u8()),
    ...{ 17: () => (hop.labels = readLabels(from)), 18: () => (hop.address = from.address()) },
    19: () => (hop.sentUs = from.time()),
  });
  // Without a time of sending, attempts leave one after another.
  return { attempt, reply: replyOf(from, hop, startUs + tickUs * (256 * hop.probeTtl + attempt)) };
}

export function readPing(from: WartsCursor, monitorOf: MonitorOf): ImportedTrace {
  const head = { list: 0, startUs: 0, size: 0, ttl: 0, sent: 0, method: 0, srcPort: 0, dstPort: 0 };
  let [source, address] = ["", ""];
  const [u8, u16, u32] = [() => from.u8(), () => from.u16(), () => from.u32()];
  from.parameters({
    ...headParameters(from, head),
    ...{ 6: u8, 7: u8, 8: () => from.take(u16()), 9: () => from.take(u16()) },
    ...{ 10: u16, 11: () => (head.size = u16()), 12: u8, 13: () => (head.ttl = u8()), 14: u16 },
    ...{ 15: () => (head.sent = u16()), 16: () => (head.method = u8()), 17: () => (head.srcPort = u16()) },
    ...{ 18: () => (head.dstPort = u16()), 19: u32, 20: () => (source = from.address()) },
    21: () => (address = from.address()),
  });
  const protocol = protocolOf(from, pingProtocols[head.method], address);
  const base = { ...noReply, size: head.size, probeTtl: head.ttl };
  const replies = Array.from({ length: counted(from, from.u16()) }, () => readPong(from, base, head.startUs));
  return {
    ...{ agent: monitorOf(head.list), address, protocol, source, startUs: head.startUs },
    ...portsOf(protocol, head.srcPort, head.dstPort),
    probes: [{ ttl: head.ttl, sent: head.sent }],
    replies: replies.map((reply) => ({ ...reply, probe_src_addr: source })),
  };
}

function readPong(from: WartsCursor, base: ReplyGiven, startUs: number): TraceReply {
  const given = { ...base };
  let probe = 0;
  const [u8, u16] = [() => from.u8(), () => from.u16()];
  from.parameters({
    ...{ 1: old(from), 2: u8, 3: () => (given.ttl = u8()), 4: () => (given.replySize = u16()) },
    ...{
      5: () => ([given.type, given.code] = [u8(), u8()]),
      6: () => (given.rtt = from.u32()),
      7: () => (probe = u16()),
    },
    ...{ 8: () => (given.id = u16()), 9: u16, 10: u8, 11: () => (given.tcpFlags = u8()) },
    ...{
      12: () => (given.address = from.address()),
      13: () => from.take(from.u8() * 5),
      14: () => from.take(4),
    },
    ...{ 15: () => from.take(4), 16: () => (given.sentUs = from.time()) },
  });
  return replyOf(from, given, startUs + tickUs * probe);
}
