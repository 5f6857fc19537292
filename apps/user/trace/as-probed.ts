/**
 * A reply that the engine could not prove, with its probe as it was sent: the state of a trace finds it where too
 * little is quoted, or where a NAT has rewritten what no tag can show. Pure.
 */
import { sameAddress } from "../../../lib/net/ip/address.ts";
import { answerKindOf, isDestinationsKind } from "../../../lib/net/packet/answer-kind.ts";
import { ianaNumber, type Probe } from "../../../lib/net/packet/probe.ts";
import { type Reply, rewrittenBits } from "../../../lib/net/packet/reply.ts";

export function asProbed(reply: Reply, { dst, srcPort, protocol }: Probe): Reply {
  if (isDestinationsKind(answerKindOf(reply))) {
    // Nothing is quoted: the target answers from another of its addresses.
    return { ...reply, probeDstAddr: dst };
  }
  const isPort = reply.probeSrcPort !== srcPort;
  const bits =
    // Its time code would have named the probe.
    (ianaNumber[protocol] === ianaNumber.udp ? rewrittenBits.checksum : 0) |
    (isPort ? rewrittenBits.sourcePort : 0) |
    (sameAddress(reply.probeDstAddr, dst) ? 0 : rewrittenBits.destination);
  return {
    ...reply,
    probeDstAddr: dst,
    probeSrcPort: srcPort,
    replyRewritten: reply.replyRewritten | bits,
    replyQuotedSrcPort: isPort ? reply.probeSrcPort : reply.replyQuotedSrcPort,
  };
}
