/** A ping as an object of warts, type 7: a record for each answer. */
import type { Ping } from "./ping.ts";
import {
  byProbe,
  endUs,
  inOrderOfSending,
  isTcp,
  probeBytes,
  rttMsOf,
  sentUs,
  sourceOf,
  startUs,
  type TraceReply,
  wholeSize,
} from "./trace.ts";
import type { WartsResult } from "./warts.ts";
import { WartsBytes, wartsTypes } from "./warts-bytes.ts";

const methods: Readonly<Record<string, number>> = { ICMP: 0, ICMPv6: 0, UDP: 3, TCP: 6 };
const completed = 1;
const replyFlags = { ttl: 1, ipId: 2 } as const;
const waitSeconds = 2;

export function wartsPing(ping: Ping): WartsResult {
  const { measurement_id: measurement, agent } = ping;
  return {
    ...{ measurement, agent, startUs: startUs(ping), endUs: endUs(ping), type: wartsTypes.ping },
    content: (list) => pingContent(ping, list),
  };
}

function pingContent(ping: Ping, list: number): WartsBytes {
  const { address, protocol, sent, replies } = ping;
  const start = startUs(ping);
  const content = new WartsBytes().parameters([
    [1, (to) => to.u32(list)],
    [2, (to) => to.u32(list)],
    [5, start === null ? null : (to) => to.time(start)],
    [6, (to) => to.u8(completed)],
    [7, (to) => to.u8(0)],
    [10, (to) => to.u16(sent)],
    [11, (to) => to.u16(probeBytes(ping))],
    [12, (to) => to.u8(waitSeconds)],
    [13, (to) => to.u8(ping.ttl)],
    [14, (to) => to.u16(0)],
    [15, (to) => to.u16(sent)],
    [16, (to) => to.u8(methods[protocol] ?? 0)],
    [17, (to) => to.u16(ping.src_port)],
    [18, (to) => to.u16(ping.dst_port)],
    [20, (to) => to.address(sourceOf(ping))],
    [21, (to) => to.address(address)],
    [23, (to) => to.u8(0)],
  ]);
  content.u16(replies.length);
  for (const { reply, number } of byProbe(inOrderOfSending(replies))) {
    replyRecord(content, reply, number);
  }
  return content;
}

function replyRecord(to: WartsBytes, reply: TraceReply, sequence: number): void {
  const { reply_icmp_type: type, reply_icmp_code: code } = reply;
  const rttMs = rttMsOf(reply);
  const isSegment = isTcp(reply);
  to.parameters([
    [2, (part) => part.u8(replyFlags.ttl | replyFlags.ipId)],
    [3, (part) => part.u8(reply.reply_ttl)],
    [4, (part) => part.u16(wholeSize(reply.reply_size, reply.reply_src_addr))],
    [5, isSegment ? null : (part) => part.u8(type).u8(code)],
    [6, rttMs === null ? null : (part) => part.u32(Math.round(1000 * rttMs))],
    [7, (part) => part.u16(sequence)],
    [8, (part) => part.u16(reply.reply_id)],
    [10, (part) => part.u8(reply.reply_protocol)],
    [11, isSegment ? (part) => part.u8(code) : null],
    [12, (part) => part.address(reply.reply_src_addr)],
    [16, (part) => part.time(sentUs(reply))],
  ]);
}
