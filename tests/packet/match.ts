/**
 * Decides whose probe an answer belongs to, and when that probe left.
 *
 * The time code fixes the send time within one wrap (6.55 s); the tag is then tried for that wrap, and for the ones
 * before it: a fit there is an answer that came later than a wrap after its probe, whose RTT does not follow from the
 * code alone.
 *
 * An echo reply names its probe by the address that it comes from. Where its tag fits none, those of the destinations
 * that were probed in its tick are tried: a host may answer from another of its addresses.
 *
 * Only 8 or 24 bits of a TCP probe's tag come back, and a host has its own TCP connections: so an answer to TCP
 * matches only if the sender remembers a probe with that print in that tick. So does an answer that quotes 8 bytes of a
 * probe with a size, as it has 8 bits of the tag, and that of a name server that returns no cookie.
 */
import { echoTargetsMax } from "../../ffi/hotpath/memory-layout.ts";
import type { Address } from "../../lib/net/ip/address.ts";
import { ianaNumber } from "../../lib/net/packet/probe.ts";
import type { SipKey } from "../../lib/net/packet/siphash.ts";
import { type EchoTargets, type TcpProof, tagFits, tagOf, tcpPrint } from "../../lib/net/packet/tag.ts";
import { ticksPerWrap, wrapOf } from "../../lib/net/packet/time-code.ts";
import { latestTickOf } from "./latest-tick.ts";
import type { RawReply } from "./raw-reply.ts";

/**
 * Wraps before the latest one that are tried: answers up to about a minute late are distinguished from forged ones.
 */
const staleWrapsMax = 10;
/** The bits of the IPv4 identification. With fewer, one foreign answer in 26 would pass for a late one. */
const staleMask = 0xffffn;

export type Match =
  /** `key` is the index of the key that fits. */
  | {
      readonly verdict: "match";
      readonly key: number;
      readonly sentTick: number;
      /** The destination of the probe, where the answer came from another address. */
      readonly dst?: Address;
    }
  | { readonly verdict: "stale" }
  | { readonly verdict: "mismatch" }
  /** It quotes nothing of a tag, so nobody can say whose it is. */
  | { readonly verdict: "untagged" }
  /** An answer to TCP that fits no probe which left within a wrap. */
  | { readonly verdict: "tcpUnproven" };

export function matchReply(
  raw: RawReply,
  receivedTick: number,
  keys: readonly SipKey[],
  tcp: TcpProof,
  echoes: EchoTargets = { copy: () => 0 },
): Match {
  if (raw.quotedTag.mask === 0n && !raw.isRemembered) {
    return { verdict: "untagged" };
  }
  const fresh = matchFresh(raw, receivedTick, keys, tcp);
  if (fresh !== null) {
    return fresh;
  }
  const isTcp = raw.probeProtocol === ianaNumber.tcp;
  const sentTick = latestTickOf(raw.wireTimeCode, receivedTick);
  const wrap = wrapOf(sentTick);
  const mayBeStale = (raw.quotedTag.mask & staleMask) === staleMask;
  for (let back = 1; mayBeStale && back <= staleWrapsMax; back++) {
    if (keys.some((key) => tagFits(tagOfReply(raw, key, wrap - back), raw.quotedTag))) {
      return { verdict: "stale" };
    }
  }
  const isEcho = [1, 58].includes(raw.replyProtocol) && [0, 129].includes(raw.replyIcmpType);
  return (
    (isEcho ? matchElsewhere(raw, sentTick, keys, echoes) : null) ?? {
      verdict: isTcp ? "tcpUnproven" : "mismatch",
    }
  );
}

/** Within the last wrap. */
export function matchFresh(
  raw: RawReply,
  receivedTick: number,
  keys: readonly SipKey[],
  tcp: TcpProof,
): Match | null {
  const { isRemembered, quotedTag } = raw;
  const sentTick = latestTickOf(raw.wireTimeCode, receivedTick);
  const key = keys.findIndex((each, i) => {
    const tag = tagOfReply(raw, each, wrapOf(sentTick));
    const fits = (tag & quotedTag.mask) === quotedTag.value;
    return fits && (!isRemembered || tcp.hasLeft(i, sentTick, printOf(raw, tag)));
  });
  return key < 0 ? null : { verdict: "match", key, sentTick };
}

function matchElsewhere(
  raw: RawReply,
  sentTick: number,
  keys: readonly SipKey[],
  echoes: EchoTargets,
): Match | null {
  const words = new Int32Array(4 * echoTargetsMax);
  for (const [key, tagKey] of keys.entries()) {
    for (let i = echoes.copy(key, sentTick, words) - 1; i >= 0; i--) {
      const dst = new Uint8Array(words.buffer, 16 * i, 16);
      if (tagFits(tagOfReply({ ...raw, probeDstAddr: dst }, tagKey, wrapOf(sentTick)), raw.quotedTag)) {
        return { verdict: "match", key, sentTick, dst };
      }
    }
  }
  return null;
}

function printOf({ probeSrcAddr, probeDstPort }: RawReply, tag: bigint): number {
  return tcpPrint(tag, { src: probeSrcAddr, dstPort: probeDstPort });
}

function tagOfReply(raw: RawReply, key: SipKey, wrap: number): bigint {
  return tagOf(key, {
    dst: raw.probeDstAddr,
    srcPort: raw.probeSrcPort,
    ttl: raw.probeTtl,
    protocolNumber: raw.probeProtocol,
    wireTimeCode: raw.wireTimeCode || ticksPerWrap,
    wrap,
  });
}
