/**
 * Decides whose probe an answer belongs to, and when that probe left.
 *
 * The time code fixes the send time within one wrap (6.55 s); the tag is then tried for that wrap, and for the
 * ones before it: a fit there is an answer that came later than a wrap after its probe, whose RTT cannot be told
 * from the code alone.
 */
import type { RawReply } from "./raw-reply.ts";
import type { SipKey } from "./siphash.ts";
import { tagFits, tagOf } from "./tag.ts";
import { latestTickOf, ticksPerWrap, wrapOf } from "./time-code.ts";

/** Wraps before the latest one that are tried: answers up to about a minute late are told from forged ones. */
export const staleWrapsMax = 10;

export type Match =
  /** `key` is the index of the key that fits. */
  | { readonly verdict: "match"; readonly key: number; readonly sentTick: number }
  | { readonly verdict: "stale" }
  | { readonly verdict: "mismatch" };

export function matchReply(raw: RawReply, receivedTick: number, keys: readonly SipKey[]): Match {
  const sentTick = latestTickOf(raw.wireTimeCode, receivedTick);
  const wrap = wrapOf(sentTick);
  const fresh = keys.findIndex((key) => fits(raw, key, wrap));
  if (fresh >= 0) {
    return { verdict: "match", key: fresh, sentTick };
  }
  for (let back = 1; back <= staleWrapsMax; back++) {
    if (keys.some((key) => fits(raw, key, wrap - back))) {
      return { verdict: "stale" };
    }
  }
  return { verdict: "mismatch" };
}

function fits(raw: RawReply, key: SipKey, wrap: number): boolean {
  const tag = tagOf(key, {
    dst: raw.probeDstAddr,
    srcPort: raw.probeSrcPort,
    ttl: raw.probeTtl,
    protocolNumber: raw.probeProtocol,
    wireTimeCode: raw.wireTimeCode || ticksPerWrap,
    wrap,
  });
  return tagFits(tag, raw.quotedTag);
}
