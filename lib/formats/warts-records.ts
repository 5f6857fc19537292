/** Traces and pings of warts, from their objects (see warts-trace.ts and warts-ping.ts for what is where). */
import { type ImportedTrace, timeText } from "./imported-trace.ts";
import type { TraceReply } from "./trace.ts";
import type { WartsCursor } from "./warts-cursor.ts";

const traceProtocols: Readonly<Record<number, string>> = {
  ...{ 1: "ICMP", 4: "ICMP", 2: "UDP", 5: "UDP", 3: "TCP", 6: "TCP" },
};
const pingProtocols: Readonly<Record<number, string>> = {
  ...{ 0: "ICMP", 5: "ICMP", 3: "UDP", 4: "UDP", 1: "TCP", 2: "TCP", 6: "TCP" },
};

type MonitorOf = (list: number) => string;

export function readTrace(from: WartsCursor, monitorOf: MonitorOf): ImportedTrace {
  const head = {
    list: 0,
    startUs: 0,
    attempts: 1,
    method: 0,
    size: 0,
    srcPort: 0,
    dstPort: 0,
    first: 1,
    hops: 0,
  };
  let [source, address] = ["", ""];
  const [u8, u16, u32] = [() => from.u8(), () => from.u16(), () => from.u32()];
  from.parameters({
    ...{
      1: () => (head.list = u32()),
      2: u32,
      3: old(from),
      4: old(from),
      5: () => (head.startUs = from.time()),
    },
    ...{ 6: u8, 7: u8, 8: u8, 9: () => (head.attempts = u8()), 10: u8, 11: () => (head.method = u8()) },
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
  const ttls = Array.from({ length: Math.max(0, last - head.first + 1) }, (_, i) => head.first + i);
  const sentAt = (ttl: number) => {
    const own = replies.filter(({ reply }) => reply.probe_ttl === ttl);
    return Math.max(
      own.length,
      ...own.map(({ attempt }) => attempt + 1),
      own.length === 0 ? head.attempts : 0,
    );
  };
  return {
    ...{ agent: monitorOf(head.list), address, protocol, source, startUs: head.startUs },
    ...portsOf(protocol, head.srcPort, head.dstPort),
    probes: ttls.map((ttl) => ({ ttl, sent: sentAt(ttl) })),
    replies: replies.map(({ reply }) => ({ ...reply, probe_src_addr: source })),
  };
}

/** A record has at least a byte: so a count cannot ask for more than is there. */
function counted(from: WartsCursor, count: number): number {
  return count > from.left ? from.fail(`${count} records in ${from.left} bytes`) : count;
}

function old(from: WartsCursor): () => never {
  return () => from.fail("addresses by number of the file, as scamper wrote until 2010, are not read");
}

function protocolOf(from: WartsCursor, protocol: string | undefined, address: string): string {
  if (protocol === undefined) {
    return from.fail("the method is not known");
  }
  if (address === "") {
    return from.fail("there is no destination");
  }
  return protocol === "ICMP" && address.includes(":") ? "ICMPv6" : protocol;
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
      12: u16,
    },
    ...{ 13: u16, 14: () => (hop.quotedTtl = u8()), 15: () => (hop.tcpFlags = u8()), 16: u8 },
    ...{ 17: () => (hop.labels = readLabels(from)), 18: () => (hop.address = from.address()) },
    19: () => (hop.sentUs = from.time()),
  });
  return { attempt, reply: replyOf(from, hop, startUs) };
}

export function readPing(from: WartsCursor, monitorOf: MonitorOf): ImportedTrace {
  const head = { list: 0, startUs: 0, size: 0, ttl: 0, sent: 0, method: 0, srcPort: 0, dstPort: 0 };
  let [source, address] = ["", ""];
  const [u8, u16, u32] = [() => from.u8(), () => from.u16(), () => from.u32()];
  from.parameters({
    ...{
      1: () => (head.list = u32()),
      2: u32,
      3: old(from),
      4: old(from),
      5: () => (head.startUs = from.time()),
    },
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
  const [u8, u16] = [() => from.u8(), () => from.u16()];
  from.parameters({
    ...{ 1: old(from), 2: u8, 3: () => (given.ttl = u8()), 4: () => (given.replySize = u16()) },
    ...{ 5: () => ([given.type, given.code] = [u8(), u8()]), 6: () => (given.rtt = from.u32()), 7: u16 },
    ...{ 8: () => (given.id = u16()), 9: u16, 10: u8, 11: () => (given.tcpFlags = u8()) },
    ...{
      12: () => (given.address = from.address()),
      13: () => from.take(from.u8() * 5),
      14: () => from.take(4),
    },
    ...{ 15: () => from.take(4), 16: () => (given.sentUs = from.time()) },
  });
  return replyOf(from, given, startUs);
}

/** ICMP extensions (RFC 4884): those of other classes than MPLS are passed over. */
function readLabels(from: WartsCursor): TraceReply["reply_mpls_labels"] {
  const labels: TraceReply["reply_mpls_labels"][number][] = [];
  for (let left = from.u16(); left > 0; ) {
    const [length, classNumber, type] = [from.u16(), from.u8(), from.u8()];
    const bytes = from.take(length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; classNumber === 1 && type === 1 && at + 4 <= length; at += 4) {
      const entry = view.getUint32(at);
      const isBottom = (entry & 0x100) !== 0;
      labels.push({
        label: entry >>> 12,
        exp: (entry >>> 9) & 7,
        bottom_of_stack: isBottom,
        ttl: entry & 255,
      });
    }
    left -= 4 + length;
  }
  return labels;
}

interface ReplyGiven {
  probeTtl: number;
  ttl: number;
  quotedTtl: number;
  /** Microseconds; -1 where it is not known. */
  rtt: number;
  type: number;
  code: number;
  size: number;
  replySize: number;
  id: number;
  /** -1 for ICMP. */
  tcpFlags: number;
  /** -1 where it is not known. */
  sentUs: number;
  labels: TraceReply["reply_mpls_labels"];
  address: string;
}

const noReply: ReplyGiven = {
  ...{ probeTtl: 0, ttl: 0, quotedTtl: 0, rtt: -1, type: 0, code: 0, size: 0, replySize: 0, id: 0 },
  ...{ tcpFlags: -1, sentUs: -1, labels: [], address: "" },
};

function replyOf(from: WartsCursor, given: ReplyGiven, startUs: number): TraceReply {
  const { address, rtt, tcpFlags, sentUs } = given;
  if (address === "") {
    return from.fail("an answer without its address");
  }
  const isV6 = address.includes(":");
  const header = isV6 ? 40 : 0;
  return {
    time_received: timeText((sentUs < 0 ? startUs : sentUs) + Math.max(0, rtt)),
    ...{ probe_ttl: given.probeTtl, reply_src_addr: address, rtt_ms: rtt < 0 ? null : rtt / 1000 },
    ...{ reply_ttl: given.ttl, reply_quoted_ttl: given.quotedTtl, reply_id: given.id },
    reply_size: Math.max(0, given.replySize - header),
    reply_protocol: tcpFlags >= 0 ? 6 : isV6 ? 58 : 1,
    reply_icmp_type: tcpFlags >= 0 ? 0 : given.type,
    reply_icmp_code: tcpFlags >= 0 ? tcpFlags : given.code,
    ...{ reply_mpls_labels: given.labels, probe_src_addr: "", probe_size: Math.max(0, given.size - header) },
  };
}
