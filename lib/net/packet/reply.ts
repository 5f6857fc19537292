/** A reply: one captured answer. Field by field the `Reply` of the wire; the meaning of each field for each
 * protocol and kind of answer is the table in `lib/net/wire/reply-fields.ts`. */
import { type Address, addressBytes } from "../ip/address.ts";

/** One entry of an MPLS label stack (RFC 4950 s.2). */
export interface MplsLabel {
  /** 20 bits. */
  readonly label: number;
  /** Traffic class, 3 bits; once called "experimental". */
  readonly exp: number;
  /** Whether this is the bottom of the stack. */
  readonly bottomOfStack: boolean;
  readonly ttl: number;
}

export interface Reply {
  /** Nanoseconds since the epoch, CLOCK_REALTIME. */
  readonly timeReceivedNs: bigint;
  readonly agentId: string;
  readonly replySrcAddr: Address;
  readonly replyDstAddr: Address;
  readonly replyId: number;
  readonly replySize: number;
  readonly replyTtl: number;
  readonly replyQuotedTtl: number;
  readonly replyProtocol: number;
  readonly replyIcmpType: number;
  readonly replyIcmpCode: number;
  readonly replyMplsLabels: readonly MplsLabel[];
  readonly probeSrcAddr: Address;
  readonly probeDstAddr: Address;
  readonly probeId: number;
  readonly probeSize: number;
  readonly probeTtl: number;
  readonly probeProtocol: number;
  readonly probeSrcPort: number;
  readonly probeDstPort: number;
  /** Tenths of a millisecond, 0–65534; 65535 when it is unknown. */
  readonly rttTenthMs: number;
  /** Microseconds; 0 when the round-trip time is known only in tenths of a millisecond, or not at all. */
  readonly rttUs: number;
  /** DSCP (6 bits) and ECN (2 bits) of the quoted packet; 0 without a quote. */
  readonly replyQuotedTrafficClass: number;
  /** Bytes, by "fragmentation needed" (RFC 1191) or "packet too big" (RFC 4443 s.3.2); 0 in other answers. */
  readonly replyNextHopMtu: number;
  /** 20 bits of the quoted IPv6 header; 0 for IPv4, and without a quote. */
  readonly replyQuotedFlowLabel: number;
  /** What the site of a name server calls itself, see dns-question.ts: printable ASCII; empty in other answers. */
  readonly replySite: string;
  /** What the quote has otherwise than it was sent: bits of `rewrittenBits`; the probe's own fields are as sent. */
  readonly replyRewritten: number;
  /** The source port or ICMP identifier that is quoted; 0 unless it was rewritten. */
  readonly replyQuotedSrcPort: number;
  /** Quoted transport checksum minus the one that was sent, modulo 65535. */
  readonly replyChecksumDelta: number;
  /** The source that is quoted; `::` unless it was rewritten. */
  readonly replyQuotedSrcAddr: Address;
}

export const rewrittenBits = {
  source: 1,
  sourcePort: 2,
  destination: 4,
  checksum: 8,
  identification: 16,
} as const;

/** What a quote has otherwise than it was sent. */
export type Rewriting = Pick<
  Reply,
  "replyRewritten" | "replyQuotedSrcPort" | "replyChecksumDelta" | "replyQuotedSrcAddr"
>;

/** The fields of a reply whose quote, if it has one, shows nothing rewritten. */
export const asSent: Rewriting = {
  ...{ replyRewritten: 0, replyQuotedSrcPort: 0, replyChecksumDelta: 0 },
  replyQuotedSrcAddr: new Uint8Array(addressBytes),
};

/** Bytes of a site's name that are kept: enough for a host name in any naming scheme seen; RFC 5001 sets no limit. */
export const siteBytesMax = 128;

export const rttUnknownTenthMs = 65535;

/** Most labels kept of one reply; deeper stacks are cut. Real stacks have at most four or five. */
export const mplsLabelsMax = 16;
