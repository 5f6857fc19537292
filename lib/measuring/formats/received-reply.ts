/** A captured answer as an answer of a trace. */
import { formatAddress } from "../../net/ip/address.ts";
import type { Reply } from "../../net/packet/reply.ts";
import type { TraceReply } from "./trace.ts";

/** `rttMs` may be more precise than the reply's own. */
export function receivedReply(reply: Reply, rttMs: number | null): TraceReply {
  const seconds = new Date(Number(reply.timeReceivedNs / 1_000_000n)).toISOString().slice(0, 19);
  return {
    time_received: `${seconds}.${String(reply.timeReceivedNs % 1_000_000_000n).padStart(9, "0")}Z`,
    probe_ttl: reply.probeTtl,
    reply_src_addr: formatAddress(reply.replySrcAddr),
    rtt_ms: rttMs === null ? null : Number(rttMs.toFixed(3)),
    ...{ reply_ttl: reply.replyTtl, reply_quoted_ttl: reply.replyQuotedTtl, reply_size: reply.replySize },
    ...{ reply_id: reply.replyId, reply_protocol: reply.replyProtocol },
    ...{ reply_icmp_type: reply.replyIcmpType, reply_icmp_code: reply.replyIcmpCode },
    reply_mpls_labels: reply.replyMplsLabels.map(({ bottomOfStack, ...label }) => ({
      ...label,
      bottom_of_stack: bottomOfStack,
    })),
    ...{ probe_src_addr: formatAddress(reply.probeSrcAddr), probe_size: reply.probeSize },
    reply_quoted_traffic_class: reply.replyQuotedTrafficClass,
    reply_next_hop_mtu: reply.replyNextHopMtu,
  };
}
