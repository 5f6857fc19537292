/** Random addresses, probes and replies for property tests. */
import fc from "fast-check";
import { type Address, familyOf, mapped } from "../../lib/net/ip/address.ts";
import { dnsPort, dnsQuestions } from "../../lib/net/packet/dns-question.ts";
import { type Probe, protocolFitsFamily, protocols, sizeBytesMin } from "../../lib/net/packet/probe.ts";
import {
  asSent,
  type MplsLabel,
  mplsLabelsMax,
  type Reply,
  siteBytesMax,
} from "../../lib/net/packet/reply.ts";

const u8 = fc.nat(255);
const u16 = fc.nat(65535);

const ipv4 = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => mapped(bytes));
const ipv6 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes));

export const arbitraryAddress: fc.Arbitrary<Address> = fc.oneof(ipv4, ipv6);

export const arbitraryProbe: fc.Arbitrary<Probe> = fc
  .record({
    dst: arbitraryAddress,
    srcPort: u16,
    dstPort: u16,
    ttl: fc.integer({ min: 1, max: 255 }),
    protocol: fc.constantFrom(...protocols),
  })
  .filter(({ dst, protocol }) => protocolFitsFamily(protocol, familyOf(dst)));

const arbitraryShape = fc.record(
  {
    // Routers quote no more than the length of RFC 4884 can say, 1020 bytes.
    sizeBytes: fc.integer({ min: sizeBytesMin[6], max: 1000 }),
    dontFragment: fc.boolean(),
    trafficClass: u8,
    flowLabel: fc.integer({ min: 1, max: 0xf_ffff }),
  },
  { requiredKeys: [] },
);

/** A query to a name server. */
export const arbitraryDnsProbe: fc.Arbitrary<Probe> = fc
  .tuple(arbitraryProbe, fc.constantFrom(...dnsQuestions), arbitraryShape)
  .map(([probe, dns, { sizeBytes, ...shape }]) => {
    return { ...probe, protocol: "udp", dstPort: dnsPort, shape: { ...shape, dns } };
  });

/** With any shape. */
export const arbitraryShapedProbe: fc.Arbitrary<Probe> = fc
  .tuple(arbitraryProbe, arbitraryShape)
  .map(([probe, shape]) => ({ ...probe, shape }));

const arbitraryLabel: fc.Arbitrary<MplsLabel> = fc.record({
  label: fc.nat(0xf_ffff),
  exp: fc.nat(7),
  bottomOfStack: fc.boolean(),
  ttl: u8,
});

/** Any text that UTF-8 can carry, of at most 120 bytes, and without NUL, which `capnp` would cut at. */
const arbitraryAgentId = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => {
  return !text.includes("\0") && new TextEncoder().encode(text).length <= 120;
});

const arbitraryAsSent = fc.record({
  timeReceivedNs: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  agentId: arbitraryAgentId,
  replySrcAddr: arbitraryAddress,
  replyDstAddr: arbitraryAddress,
  replyId: u16,
  replySize: u16,
  replyTtl: u8,
  replyQuotedTtl: u8,
  replyProtocol: u8,
  replyIcmpType: u8,
  replyIcmpCode: u8,
  replyMplsLabels: fc.array(arbitraryLabel, { maxLength: mplsLabelsMax }),
  probeSrcAddr: arbitraryAddress,
  probeDstAddr: arbitraryAddress,
  probeId: u16,
  probeSize: u16,
  probeTtl: u8,
  probeProtocol: u8,
  probeSrcPort: u16,
  probeDstPort: u16,
  rttTenthMs: u16,
  rttUs: fc.nat(0xffff_ffff),
  replyQuotedTrafficClass: u8,
  replyNextHopMtu: u16,
  replyQuotedFlowLabel: fc.nat(0xf_ffff),
  replySite: fc
    .string({ unit: "binary-ascii", maxLength: siteBytesMax })
    .filter((text) => !text.includes("\0")),
});

export const arbitraryReply: fc.Arbitrary<Reply> = fc
  .tuple(
    arbitraryAsSent,
    fc.oneof(
      fc.constant(asSent),
      fc.record({
        replyRewritten: fc.nat(31),
        replyQuotedSrcPort: u16,
        replyChecksumDelta: u16,
        replyQuotedSrcAddr: arbitraryAddress,
      }),
    ),
  )
  .map(([reply, rewriting]) => ({ ...reply, ...rewriting }));
