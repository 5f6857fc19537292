/**
 * Multipaths of warts (scamper's tracelb, see warts-tracelb.ts for what is where), as a trace for each flow.
 *
 * A flow has a number; the first has the port of the head, each further one the next port. With ICMP, where flows
 * differ in the checksum, the identifier is counted up in its place.
 */
import type { ImportedTrace } from "./imported-trace.ts";
import type { TraceReply } from "./trace.ts";
import { counted, type MonitorOf, noReply, old, protocolOf, readLabels, replyOf } from "./warts-answers.ts";
import type { WartsCursor } from "./warts-cursor.ts";

const protocols: Readonly<Record<number, string>> = { 1: "UDP", 2: "ICMP", 3: "UDP", 4: "TCP", 5: "TCP" };
const methodOfDstPorts = 1;
/** Probes of one object, some 100 MB: scamper sends 3000 at most by default. */
const probesMax = 500_000;

interface Head {
  list: number;
  startUs: number;
  srcPort: number;
  dstPort: number;
  size: number;
  method: number;
  nodes: number;
  links: number;
  source: string;
  address: string;
}

interface ProbeGiven {
  readonly flow: number;
  readonly ttl: number;
  readonly replies: readonly TraceReply[];
}

export function readMultipath(from: WartsCursor, monitorOf: MonitorOf): ImportedTrace[] {
  const head = readHead(from);
  const protocol = protocolOf(from, protocols[head.method], head.address);
  for (let node = counted(from, head.nodes); node > 0; node--) {
    readNode(from);
  }
  const probes: ProbeGiven[] = [];
  for (let link = counted(from, head.links); link > 0; link--) {
    readLink(from, head, probes);
  }
  return [...Map.groupBy(probes, ({ flow }) => flow)].map(([flow, own]) => ({
    ...{ agent: monitorOf(head.list), address: head.address, protocol },
    ...{ source: head.source, startUs: head.startUs },
    ...portsOf(head, flow, protocol),
    probes: [...Map.groupBy(own, ({ ttl }) => ttl)]
      .map(([ttl, { length: sent }]) => ({ ttl, sent }))
      .sort((a, b) => a.ttl - b.ttl),
    replies: own.flatMap(({ replies }) => replies),
  }));
}

function portsOf({ method, srcPort, dstPort }: Head, flow: number, protocol: string) {
  const [bySrc, byDst] = method === methodOfDstPorts ? [0, flow - 1] : [flow - 1, 0];
  return {
    src_port: (srcPort + bySrc) & 0xffff,
    dst_port: protocol.startsWith("ICMP") ? 0 : (dstPort + byDst) & 0xffff,
  };
}

function readHead(from: WartsCursor): Head {
  const head: Head = {
    ...{ list: 0, startUs: 0, srcPort: 0, dstPort: 0, size: 0, method: 0, nodes: 0, links: 0 },
    ...{ source: "", address: "" },
  };
  const [u8, u16, u32] = [() => from.u8(), () => from.u16(), () => from.u32()];
  from.parameters({
    ...{ 1: () => (head.list = u32()), 2: u32, 3: old(from), 4: old(from) },
    ...{ 5: () => (head.startUs = from.time()), 6: () => (head.srcPort = u16()) },
    ...{ 7: () => (head.dstPort = u16()), 8: () => (head.size = u16()), 9: () => (head.method = u8()) },
    ...{ 10: u8, 11: u8, 12: u8, 13: u8, 14: u8, 15: u8 },
    ...{ 16: () => (head.nodes = u16()), 17: () => (head.links = u16()), 18: u32, 19: u32, 20: u8 },
    ...{ 21: () => (head.source = from.address()), 22: () => (head.address = from.address()) },
  });
  return head;
}

/** Answers have their addresses: of a node only its own matters, which they name by number. */
function readNode(from: WartsCursor): void {
  from.parameters({
    ...{ 1: old(from), 2: () => from.u8(), 3: () => from.u16(), 4: () => from.u8() },
    5: () => from.address(),
  });
}

function readLink(from: WartsCursor, head: Head, probes: ProbeGiven[]): void {
  let sets = 0;
  from.parameters({ 1: () => from.u16(), 2: () => from.u16(), 3: () => (sets = from.u8()) });
  for (; sets > 0; sets--) {
    let count = 0;
    from.parameters({ 1: () => (count = from.u16()) });
    for (let left = counted(from, count); left > 0; left--) {
      probes.push(readProbe(from, head));
    }
    if (probes.length > probesMax) {
      from.fail(`a multipath of more than ${probesMax} probes`);
    }
  }
}

function readProbe(from: WartsCursor, head: Head): ProbeGiven {
  let [sentUs, flow, ttl, count] = [-1, 1, 0, 0];
  from.parameters({
    ...{ 1: () => (sentUs = from.time()), 2: () => (flow = from.u16()), 3: () => (ttl = from.u8()) },
    ...{ 4: () => from.u8(), 5: () => (count = from.u16()) },
  });
  const replies = Array.from({ length: counted(from, count) }, () => readAnswer(from, head, { sentUs, ttl }));
  return { flow, ttl, replies };
}

function readAnswer(
  from: WartsCursor,
  { size, startUs, source }: Head,
  { sentUs, ttl }: { readonly sentUs: number; readonly ttl: number },
): TraceReply {
  const given = { ...noReply, size, probeTtl: ttl };
  let receivedUs = startUs;
  const [u8, u16] = [() => from.u8(), () => from.u16()];
  from.parameters({
    ...{ 1: () => (receivedUs = from.time()), 2: () => (given.id = u16()) },
    ...{ 3: () => (given.ttl = u8()), 4: u8, 5: () => ([given.type, given.code] = [u8(), u8()]) },
    ...{ 6: () => (given.tcpFlags = u8()), 7: () => (given.labels = readLabels(from)) },
    ...{
      8: () => (given.quotedTtl = u8()),
      9: () => (given.quotedTrafficClass = u8()),
      10: old(from),
      11: () => (given.address = from.address()),
    },
  });
  const timed = sentUs < 0 ? { sentUs: receivedUs } : { sentUs, rtt: receivedUs - sentUs };
  return { ...replyOf(from, { ...given, ...timed }, startUs), probe_src_addr: source };
}
