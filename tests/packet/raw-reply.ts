/** What one captured packet says by itself, and the closed list of reasons why it may say nothing. */
import type { Address } from "../../lib/net/ip/address.ts";
import type { Reply, Rewriting } from "../../lib/net/packet/reply.ts";
import type { QuotedTag } from "../../lib/net/packet/tag.ts";
import type { LabelLoss } from "./extensions.ts";
import type { IpHeader } from "./ip-header.ts";
import type { SiteFlaw } from "./site-flaw.ts";

export const refusals = [
  /** The capture ends before a header does. */
  "truncated",
  "linkUnknown",
  "notIp",
  /** A length in a header contradicts another one. */
  "malformed",
  /** Not the first fragment of a packet. */
  "fragment",
  "otherProtocol",
  /** ICMP, TCP or DNS, but not an answer to a probe. */
  "otherType",
  /** The error quotes less than 8 bytes of transport header. */
  "quoteTruncated",
  /** The error quotes something that cannot be a Vantage probe. */
  "quoteOther",
] as const;

export type Refusal = (typeof refusals)[number];

/** What one packet says by itself; the tag still has to be checked, see match.ts. */
export interface RawReply
  extends Omit<Reply, "timeReceivedNs" | "agentId" | "rttTenthMs" | "rttUs" | keyof Rewriting> {
  /** Send time that came back, see time-code.ts. */
  readonly wireTimeCode: number;
  readonly quotedTag: QuotedTag;
  /** What comes back proves too little: the sender has to remember the probe. */
  readonly isRemembered: boolean;
  /** The quote from its transport header on; null for an answer without one. */
  readonly quotedTransport: DataView | null;
  /** The IPv4 identification of the quote is not the one of the tag beside it. */
  readonly hasOtherId: boolean;
  /** Why labels that may have been sent are not in `replyMplsLabels`; null = none is missing. */
  readonly labelLoss: LabelLoss | null;
  /** Why the name of a site is missing or short; null = it is neither. */
  readonly siteFlaw: SiteFlaw | null;
  /**
   * Whether the ICMP message's own checksum is wrong; a TCP segment's is not checked, as the network card may compute
   * it later.
   */
  readonly isChecksumWrong: boolean;
}

/** The fields that every kind of answer takes from its own headers. */
export function outerFields(ip: IpHeader, replyIcmpType: number, replyIcmpCode: number) {
  return {
    replySrcAddr: ip.src,
    replyDstAddr: ip.dst,
    replyId: ip.id,
    replySize: ip.sizeBytes,
    replyTtl: ip.ttl,
    replyProtocol: ip.protocolNumber,
    replyIcmpType,
    replyIcmpCode,
  };
}

/** What a direct answer says of the probe, its addresses the other way round, and what it never has. */
export function directAnswer(ip: IpHeader) {
  return {
    replyQuotedTtl: 0,
    replyQuotedTrafficClass: 0,
    replyQuotedFlowLabel: 0,
    replyNextHopMtu: 0,
    replySite: "",
    replyMplsLabels: [],
    labelLoss: null,
    siteFlaw: null,
    isRemembered: false,
    ...{ quotedTransport: null, hasOtherId: false },
    probeSrcAddr: ip.dst as Address,
    probeDstAddr: ip.src as Address,
    probeId: 0,
  };
}
