/** Replies and probes to store, each a little different from the others. */
import { address } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { asSent, type Reply, rttUnknownTenthMs } from "../../../lib/net/packet/reply.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";

/** Now, to the millisecond, so that times read back are those written. */
export const nowMs = Date.now();
export const measurement = "0d1f1ab6-1c4c-4b8c-8c7c-9a5e2b2f4b11";

export function sampleReply(i: number, changes: Partial<Reply> = {}): Reply {
  return {
    timeReceivedNs: BigInt(nowMs) * 1_000_000n + BigInt(i) * 1_001n,
    agentId: "agent-1",
    replySrcAddr: address(`2001:db8::${(i & 0xffff).toString(16)}`),
    replyDstAddr: address("2001:db8:a::1"),
    replyId: (i * 7) & 0xffff,
    replySize: 56 + (i & 0xff),
    replyTtl: 64 - (i & 31),
    replyQuotedTtl: 1,
    replyProtocol: 58,
    replyIcmpType: 3,
    replyIcmpCode: 0,
    replyMplsLabels: [],
    probeSrcAddr: address("2001:db8:a::1"),
    probeDstAddr: address(`2001:db8:b::${(i >> 5).toString(16)}`),
    probeId: (i * 3) & 0xffff,
    probeSize: 30,
    probeTtl: 1 + (i & 31),
    probeProtocol: 17,
    probeSrcPort: 24_000,
    probeDstPort: 33_434,
    rttTenthMs: i % 60_000,
    rttUs: i % 3 === 0 ? 0 : 100 * (i % 60_000) + (i % 97) + 1,
    replyQuotedTrafficClass: i & 0xff,
    replyNextHopMtu: i % 5 === 0 ? 1280 + (i & 0xff) : 0,
    replyQuotedFlowLabel: (i * 4099) & 0xf_ffff,
    replySite: i % 8 === 7 ? `s${i % 7}.example` : "",
    ...(i % 7 === 0 ? rewritten(i) : asSent),
    ...changes,
  };
}

/** One of each kind that a column may treat otherwise than the others. */
export const manySorts: readonly Reply[] = [
  sampleReply(0),
  sampleReply(1, {
    agentId: "häuschen",
    replySrcAddr: address("192.0.2.1"),
    replyDstAddr: address("198.51.100.2"),
    probeSrcAddr: address("198.51.100.2"),
    probeDstAddr: address("203.0.113.9"),
    replyProtocol: 1,
    replyIcmpType: 11,
    probeProtocol: 1,
    probeDstPort: 0,
  }),
  sampleReply(2, {
    replyMplsLabels: [
      { label: 1_048_575, exp: 7, bottomOfStack: false, ttl: 255 },
      { label: 16, exp: 0, bottomOfStack: true, ttl: 1 },
    ],
  }),
  sampleReply(3, { rttTenthMs: rttUnknownTenthMs, replyId: 65_535, replySize: 65_535, probeSrcPort: 65_535 }),
  sampleReply(4, {
    agentId: "",
    replySrcAddr: address("::"),
    replyTtl: 255,
    probeTtl: 255,
    replyIcmpCode: 18,
  }),
  sampleReply(5, { replyMplsLabels: [{ label: 3, exp: 1, bottomOfStack: true, ttl: 9 }] }),
];

export function sampleProbe(i: number): Probe {
  return {
    dst: address(`2001:db8:b::${(i >> 5).toString(16)}`),
    srcPort: 24_000,
    dstPort: 33_434,
    ttl: 1 + (i & 31),
    protocol: "udp",
  };
}

/** One with everything, and one without lists. */
export const routeUpdate: RouteUpdate = {
  ...{
    timeReceivedNs: BigInt(nowMs) * 1_000_000n + 456_789n,
    timeBmpHeaderNs: 5n,
    routerAddr: address("192.0.2.1"),
  },
  ...{ routerPort: 65_535, peerAddr: address("2001:db8::9"), peerBgpId: 0xc0000201, peerAsn: 4_200_000_000 },
  ...{ prefixAddr: address("198.51.100.0"), prefixLen: 24, isPostPolicy: true, isAdjRibOut: false },
  ...{ announced: true, synthetic: false, origin: "INCOMPLETE", asPath: [1, 2, 4_294_967_295] },
  ...{ nextHop: address("2001:db8::1"), multiExitDisc: 7, localPreference: 8, onlyToCustomer: 9 },
  ...{ atomicAggregate: true, aggregatorAsn: 10, aggregatorBgpId: 11, originatorId: 12, clusterList: [13] },
  communities: [
    [65_535, 666],
    [1, 2],
  ],
  extendedCommunities: [
    [0x80, 6, Uint8Array.of(1, 2, 3, 4, 5, 6)],
    [0, 2, Uint8Array.of(9, 8, 7, 6, 5, 4)],
  ],
  largeCommunities: [
    [64_500, 1, 2],
    [64_501, 3, 4],
  ],
  ...{ mpReachAfi: 2, mpReachSafi: 1, mpUnreachAfi: 1, mpUnreachSafi: 2 },
};

export const withdrawal: RouteUpdate = {
  ...routeUpdate,
  ...{ isPostPolicy: false, isAdjRibOut: true, announced: false, synthetic: true, atomicAggregate: false },
  ...{
    origin: "",
    asPath: [],
    communities: [],
    extendedCommunities: [],
    largeCommunities: [],
    clusterList: [],
  },
};

function rewritten(i: number) {
  return {
    ...{
      replyRewritten: 1 + (i & 30),
      replyQuotedSrcPort: i & 0xffff,
      replyChecksumDelta: (i * 11) & 0xffff,
    },
    replyQuotedSrcAddr: address(`203.0.113.${i & 255}`),
  };
}
