/** What traces, pings and multipaths of warts share: answers, their labels, and errors in them. */
import { timeText } from "./imported-trace.ts";
import type { TraceReply } from "./trace.ts";
import type { WartsCursor } from "./warts-cursor.ts";

/** The monitor of a list, by its number. */
export type MonitorOf = (list: number) => string;

/** A record has at least a byte: so a count cannot ask for more than is there. */
export function counted(from: WartsCursor, count: number): number {
  return count > from.left ? from.fail(`${count} records in ${from.left} bytes`) : count;
}

export function old(from: WartsCursor): () => never {
  return () => from.fail("addresses by number of the file, as scamper wrote until 2010, are not read");
}

export function protocolOf(from: WartsCursor, protocol: string | undefined, address: string): string {
  if (protocol === undefined) {
    return from.fail("the method is not known");
  }
  if (address === "") {
    return from.fail("there is no destination");
  }
  return protocol === "ICMP" && address.includes(":") ? "ICMPv6" : protocol;
}

/** ICMP extensions (RFC 4884); classes other than MPLS are skipped. */
export function readLabels(from: WartsCursor): TraceReply["reply_mpls_labels"] {
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

export interface ReplyGiven {
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
  /** 0 where none is quoted. */
  quotedTrafficClass: number;
  nextHopMtu: number;
  /** -1 for ICMP. */
  tcpFlags: number;
  /** -1 where it is not known. */
  sentUs: number;
  labels: TraceReply["reply_mpls_labels"];
  address: string;
}

export const noReply: ReplyGiven = {
  ...{ probeTtl: 0, ttl: 0, quotedTtl: 0, rtt: -1, type: 0, code: 0, size: 0, replySize: 0, id: 0 },
  ...{ quotedTrafficClass: 0, nextHopMtu: 0 },
  ...{ tcpFlags: -1, sentUs: -1, labels: [], address: "" },
};

export function replyOf(from: WartsCursor, given: ReplyGiven, startUs: number): TraceReply {
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
    ...(given.quotedTrafficClass === 0 ? {} : { reply_quoted_traffic_class: given.quotedTrafficClass }),
    ...(given.nextHopMtu === 0 ? {} : { reply_next_hop_mtu: given.nextHopMtu }),
  };
}
