/**
 * What a receiver makes of one captured frame, in plain TypeScript: the readers of lib/net/packet and the encoder of
 * lib/net/wire put together as the WebAssembly module does, in the same order.
 */
import type { Address } from "../../lib/net/ip/address.ts";
import { type Prefix, prefixContains } from "../../lib/net/ip/prefix.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import { asSent, type Reply, rttUnknownTenthMs } from "../../lib/net/packet/reply.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import type { EchoTargets, TcpProof } from "../../lib/net/packet/tag.ts";
import { tickOfNs } from "../../lib/net/packet/time-code.ts";
import { matchReply } from "../packet/match.ts";
import type { RawReply } from "../packet/raw-reply.ts";
import { readReply } from "../packet/read.ts";
import { matchAsSent, rewritingOf } from "../packet/rewritten.ts";
import type { Flaw, Outcome } from "./hand/vector.ts";

export interface ReferenceConfig {
  readonly agentId: string;
  readonly keys: readonly SipKey[];
  readonly sources: readonly Prefix[];
  readonly tcp: TcpProof;
  readonly echoes?: EchoTargets;
}

export interface Received {
  readonly outcome: Outcome;
  /** With outcome `match`, and ICMP with `mismatch`, `untagged` and `tcpUnproven`. */
  readonly reply?: Reply;
  readonly raw?: RawReply;
  /** Flaws of a reply. */
  readonly flaws: readonly Flaw[];
  /** Index of the key that fits; -1 when none does. */
  readonly key: number;
  readonly sentTick: number;
}

export function receiveReference(
  frame: Uint8Array,
  linkType: number,
  timeNs: bigint,
  config: ReferenceConfig,
): Received {
  const nothing = { key: -1, sentTick: 0, flaws: [] };
  const result = readReply(frame, linkType);
  if (!result.ok) {
    return { outcome: result.reason, ...nothing };
  }
  const quoted = result.raw;
  const known = withOurSource(quoted, config.sources);
  if (known === null) {
    return { outcome: "foreign", ...nothing };
  }
  const receivedTick = tickOfNs(timeNs);
  const { raw, match } = matchRewritten(known, quoted, receivedTick, config);
  const isDirect = raw.replyProtocol === ianaNumber.tcp || raw.replyProtocol === ianaNumber.udp;
  const isDropped = match.verdict !== "match" && isDirect;
  if (match.verdict === "stale" || isDropped) {
    return { outcome: match.verdict, ...nothing };
  }
  const { wireTimeCode, quotedTag, isRemembered, labelLoss, siteFlaw, isChecksumWrong, ...parsed } = raw;
  const { quotedTransport, hasOtherId, ...fields } = parsed;
  const rewriting = quotedTransport === null ? asSent : rewritingOf(quoted, raw, match.verdict === "match");
  const rttTenthMs = match.verdict === "match" ? receivedTick - match.sentTick : rttUnknownTenthMs;
  const dst = match.verdict === "match" ? (match.dst ?? raw.probeDstAddr) : raw.probeDstAddr;
  // The engine fills rttUs from the sender's tick table, behind the module.
  const reply = {
    ...{ ...fields, ...rewriting, probeDstAddr: dst, timeReceivedNs: timeNs, agentId: config.agentId },
    ...{ rttTenthMs, rttUs: 0 },
  };
  const flaws = [
    ...(isChecksumWrong ? (["checksum"] as const) : []),
    ...(labelLoss === null ? [] : [labelLoss]),
    ...(siteFlaw === null ? [] : [siteFlaw]),
  ];
  return match.verdict === "match"
    ? { outcome: "match", reply, raw, flaws, key: match.key, sentTick: match.sentTick }
    : { outcome: match.verdict, reply, raw, ...nothing, flaws };
}

/** An error reaches the address that its probe was sent from, whatever a NAT has left in the quote. */
function withOurSource(raw: RawReply, sources: readonly Prefix[]): RawReply | null {
  const isOurs = (address: Address) => sources.some((prefix) => prefixContains(prefix, address));
  if (isOurs(raw.probeSrcAddr)) {
    return raw;
  }
  const isTranslated = raw.quotedTransport !== null && isOurs(raw.replyDstAddr);
  return isTranslated ? { ...raw, probeSrcAddr: raw.replyDstAddr } : null;
}

function matchRewritten(known: RawReply, quoted: RawReply, receivedTick: number, config: ReferenceConfig) {
  const { keys, tcp, echoes } = config;
  const match = matchReply(known, receivedTick, keys, tcp, echoes);
  const isOpen = match.verdict === "mismatch" || match.verdict === "tcpUnproven";
  const sent =
    isOpen && known.quotedTransport !== null
      ? matchAsSent(known, quoted.probeSrcAddr, receivedTick, keys, tcp)
      : null;
  return sent ?? { raw: known, match };
}
