/**
 * What a receiver makes of one captured frame, in plain TypeScript: the readers of lib/net/packet and the encoder of
 * lib/net/wire put together as the WebAssembly module does, in the same order.
 */
import { type Prefix, prefixContains } from "../../lib/net/ip/prefix.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import { type Reply, rttUnknownTenthMs } from "../../lib/net/packet/reply.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import type { EchoTargets, TcpProof } from "../../lib/net/packet/tag.ts";
import { tickOfNs } from "../../lib/net/packet/time-code.ts";
import { matchReply } from "../packet/match.ts";
import type { RawReply } from "../packet/raw-reply.ts";
import { readReply } from "../packet/read.ts";
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
  const { raw } = result;
  if (!config.sources.some((prefix) => prefixContains(prefix, raw.probeSrcAddr))) {
    return { outcome: "foreign", ...nothing };
  }
  const receivedTick = tickOfNs(timeNs);
  const match = matchReply(raw, receivedTick, config.keys, config.tcp, config.echoes);
  const isDirect = raw.replyProtocol === ianaNumber.tcp || raw.replyProtocol === ianaNumber.udp;
  const isDropped = match.verdict !== "match" && isDirect;
  if (match.verdict === "stale" || isDropped) {
    return { outcome: match.verdict, ...nothing };
  }
  const { wireTimeCode, quotedTag, isRemembered, labelLoss, siteFlaw, isChecksumWrong, ...fields } = raw;
  const rttTenthMs = match.verdict === "match" ? receivedTick - match.sentTick : rttUnknownTenthMs;
  const dst = match.verdict === "match" ? (match.dst ?? raw.probeDstAddr) : raw.probeDstAddr;
  // The engine fills rttUs from the sender's tick table, behind the module.
  const reply = {
    ...{ ...fields, probeDstAddr: dst, timeReceivedNs: timeNs, agentId: config.agentId },
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
