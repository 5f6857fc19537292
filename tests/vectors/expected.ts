/** The expectation beside each pcap file: outcome and reply of each packet, as JSON that people can read. */
import { formatAddress } from "../../lib/net/ip/address.ts";
import type { Reply } from "../../lib/net/packet/reply.ts";
import type { ExpectedReply } from "./hand/answers.ts";
import { agentId } from "./hand/probe-sample.ts";
import type { Flaw, Outcome, Vector } from "./hand/vector.ts";

/** A reply whose addresses and 64-bit number are text. */
type ReplyJson = Readonly<Record<string, unknown>>;

export interface ExpectedPacket {
  readonly what: string;
  readonly outcome: Outcome;
  readonly reply?: ReplyJson;
  /** See hand/vector.ts; left out where there is none. */
  readonly flaws?: readonly Flaw[];
}

export function expectedPackets(vector: Vector): ExpectedPacket[] {
  return vector.packets.map(({ what, outcome, reply, rttTenthMs, timeNs, flaws }) => {
    if (reply === undefined) {
      return { what, outcome };
    }
    const fields = replyToJson({
      ...{ timeReceivedNs: timeNs, agentId, ...reply },
      ...(rttTenthMs === undefined ? {} : { rttTenthMs }),
    });
    return { what, outcome, reply: fields, ...(flaws === undefined ? {} : { flaws }) };
  });
}

export function replyToJson(
  given: ExpectedReply &
    Pick<Reply, "timeReceivedNs" | "agentId"> &
    Partial<Pick<Reply, "rttTenthMs" | "rttUs">>,
): ReplyJson {
  // Never known here: what it is about is behind the reader.
  const { rttUs: _, replySite, ...others } = given;
  const { replyRewritten, replyQuotedSrcPort, replyChecksumDelta, replyQuotedSrcAddr, ...reply } = others;
  const rewriting = { replyRewritten, replyQuotedSrcPort, replyChecksumDelta };
  return {
    ...reply,
    ...(replySite === "" ? {} : { replySite }),
    ...(replyRewritten === 0 ? {} : { ...rewriting, replyQuotedSrcAddr: formatAddress(replyQuotedSrcAddr) }),
    timeReceivedNs: String(reply.timeReceivedNs),
    replySrcAddr: formatAddress(reply.replySrcAddr),
    replyDstAddr: formatAddress(reply.replyDstAddr),
    probeSrcAddr: formatAddress(reply.probeSrcAddr),
    probeDstAddr: formatAddress(reply.probeDstAddr),
  };
}
