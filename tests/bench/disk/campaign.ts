/**
 * A campaign to measure sizes with, as its probes and the replies to them.
 *
 * Destinations are one in each of many /24s, eight flows each, TTLs 1 to 20; three of four probes are answered.
 * The first routers are the same for all, later ones are ever more; delays grow with the distance, and vary. What
 * compresses well in real replies, as sources that come again and times that follow one another, does here; nothing
 * else repeats.
 */
import { address } from "../../../lib/net/ip/address.ts";
import { asSent, type Reply } from "../../../lib/net/packet/reply.ts";

export const measurementId = "6f0d7b0e-5b0e-4b8e-9d58-6a7f0c9b1d11";
const flows = 8;
const ttls = 20;
const rateProbesPerSec = 10_000;

interface CampaignProbe {
  readonly dst: string;
  readonly srcPort: number;
  readonly ttl: number;
}

export function campaignProbe(i: number): CampaignProbe {
  const destination = Math.floor(i / (flows * ttls));
  return {
    dst: `198.${18 + ((destination >> 16) & 1)}.${(destination >> 8) & 255}.${destination & 255}`,
    srcPort: 24_000 + (Math.floor(i / ttls) % flows),
    ttl: 1 + (i % ttls),
  };
}

/** Null = nothing came. */
export function campaignReply(i: number, startMs: number): Reply | null {
  const { dst, srcPort, ttl } = campaignProbe(i);
  const chance = scattered(i);
  if (chance % 4 === 0) {
    return null;
  }
  const destination = Math.floor(i / (flows * ttls));
  // Routers at this distance: 1, 2, 4 … 65,536.
  const router = scattered(destination * 31 + (srcPort % 2)) % 2 ** Math.min(ttl - 1, 16);
  const rttTenthMs = ttl * 40 + (chance % 97);
  return {
    timeReceivedNs:
      BigInt(startMs) * 1_000_000n + BigInt(Math.floor((i * 1e9) / rateProbesPerSec) + rttTenthMs * 100_000),
    agentId: "west",
    replySrcAddr: address(`10.${ttl}.${router >> 8}.${router & 255}`),
    replyDstAddr: address("192.0.2.10"),
    replyId: chance & 0xffff,
    replySize: 56,
    replyTtl: 255 - ttl,
    replyQuotedTtl: 1,
    replyProtocol: 1,
    replyIcmpType: 11,
    replyIcmpCode: 0,
    replyMplsLabels: [],
    probeSrcAddr: address("192.0.2.10"),
    probeDstAddr: address(dst),
    probeId: scattered(i + 7) & 0xffff,
    probeSize: 38 + ttl,
    probeTtl: ttl,
    probeProtocol: 17,
    probeSrcPort: srcPort,
    probeDstPort: 33_434,
    rttTenthMs,
    rttUs: 100 * rttTenthMs + (chance % 89),
    replyQuotedTrafficClass: 0,
    replyNextHopMtu: 0,
    replyQuotedFlowLabel: 0,
    replySite: "",
    ...asSent,
  };
}

/** The same for the same number, and without a pattern: 32 bits (the finaliser of MurmurHash3). */
function scattered(i: number): number {
  let x = Math.imul(i ^ (i >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
