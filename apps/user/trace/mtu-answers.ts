/** Probes with a size, and what came of them: for a search by this machine, and by agents. Pure. */
import type { MtuAnswer } from "../../../lib/measuring/paths/mtu-search.ts";
import type { Path } from "../../../lib/measuring/paths/path.ts";
import { familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import { answerKindOf, isTooBig } from "../../../lib/net/packet/answer-kind.ts";
import { sizeBytesMin } from "../../../lib/net/packet/probe.ts";
import type { Reply } from "../../../lib/net/packet/reply.ts";

/** Those of the first flow up to its end, whose probes were answered. */
export function answeringTtls(path: Path, firstTtl: number): number[] {
  const last = Math.min(path.lastTtl(), path.endOfFlow(0));
  return Array.from({ length: Math.max(0, last - firstTtl + 1) }, (_, i) => firstTtl + i).filter((ttl) =>
    path.cell(0, ttl).outcomes.some((outcome) => typeof outcome !== "string"),
  );
}

export function mtuAnswerOf(reply: Reply): MtuAnswer {
  return isTooBig(answerKindOf(reply))
    ? { kind: "tooBig", mtuBytes: reply.replyNextHopMtu, from: formatAddress(reply.replySrcAddr) }
    : { kind: "answered" };
}

/** IP length of the probe that was answered; null = as short as its TTL allows. */
export function sizeBytesOf({ probeDstAddr, probeSize }: Reply): number | null {
  const family = familyOf(probeDstAddr);
  const bytes = probeSize + (family === 6 ? 40 : 0);
  return bytes < sizeBytesMin[family] ? null : bytes;
}
