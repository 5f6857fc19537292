/** Encodings that no program at hand writes, as words put together by hand, and messages made to do harm. */
import { describe, expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { asSent, mplsLabelsMax } from "../packet/reply.ts";
import { messageWordsMax, segmentsMax } from "./limits.ts";
import { decodeProbe, encodeProbe } from "./probe-codec.ts";
import { decodeReply, encodeReply } from "./reply-codec.ts";

const probe = {
  dst: address("2001:db8::7"),
  srcPort: 24000,
  dstPort: 33434,
  ttl: 7,
  protocol: "udp",
} as const;
const probeData = 0x0001_0007_829a_5dc0n;
const dstWords = [0x0000_0000_b80d_0120n, 0x0700_0000_0000_0000n];

/** A message of these segments, framed. */
function framed(...segments: bigint[][]): Uint8Array {
  const headerWords = Math.ceil((4 + 4 * segments.length) / 8);
  const bytes = new Uint8Array(8 * (headerWords + segments.flat().length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, segments.length - 1, true);
  for (const [i, segment] of segments.entries()) {
    view.setUint32(4 + 4 * i, segment.length, true);
  }
  for (const [i, word] of segments.flat().entries()) {
    view.setBigUint64(8 * (headerWords + i), word, true);
  }
  return bytes;
}

function pointer(low: number, high: number): bigint {
  return BigInt(low >>> 0) | (BigInt(high) << 32n);
}
const struct = (distance: number, data: number, pointers: number) =>
  pointer(distance << 2, data | (pointers << 16));
const list = (distance: number, element: number, count: number) =>
  pointer((distance << 2) | 1, (count << 3) | element);
const far = (at: number, segment: number, pads = 1) => pointer((at << 3) | (pads === 2 ? 4 : 0) | 2, segment);

describe("a valid message in another form", () => {
  test.each([
    ["content before its pointer", [[struct(2, 1, 1), ...dstWords, probeData, list(-4, 2, 16)]]],
    ["a far pointer to the root", [[far(0, 1)], [struct(0, 1, 1), probeData, list(0, 2, 16), ...dstWords]]],
    [
      "a far pointer with two pads",
      [[struct(0, 1, 1), probeData, far(1, 1, 2)], [0n, far(0, 2), list(0, 2, 16)], dstWords],
    ],
    [
      "a struct of a newer schema",
      [[struct(0, 2, 2), probeData, ~0n & 0xffn, list(1, 2, 16), 3n, ...dstWords]],
    ],
  ])("%s", (_, segments) => {
    expect(decodeProbe(framed(...segments))).toMatchObject({ ok: true, probe });
  });

  test("a struct of an older schema has zeros and empty lists for what it lacks", () => {
    const result = decodeReply(framed([struct(0, 1, 1), 77n, list(0, 2, 3), 0x6261n]));
    expect(result).toMatchObject({
      ok: true,
      reply: {
        timeReceivedNs: 77n,
        agentId: "ab",
        replySize: 0,
        replyMplsLabels: [],
        rttTenthMs: 0,
        rttUs: 0,
      },
    });
    expect(result.ok && [...result.reply.probeDstAddr]).toEqual(Array(16).fill(0));
  });
});

/** A reply whose only field is a label list. */
const labelsOnly = (words: bigint[], listPointer: bigint) => {
  return decodeReply(framed([struct(0, 0, 4), 0n, 0n, 0n, listPointer, ...words]));
};

describe("a label list", () => {
  test("of plain numbers gives structs of which only the first bytes are known", () => {
    const label = { exp: 0, bottomOfStack: false, ttl: 0 };
    expect(labelsOnly([0x0000_0007_0000_0009n], list(0, 4, 2))).toMatchObject({
      ok: true,
      reply: {
        replyMplsLabels: [
          { ...label, label: 9 },
          { ...label, label: 7 },
        ],
      },
    });
  });

  test("of larger elements is walked by their size", () => {
    const words = [struct(2, 1, 1), 5n, 0n, 6n, 0n];
    expect(labelsOnly(words, list(0, 7, 4))).toMatchObject({
      ok: true,
      reply: { replyMplsLabels: [{ label: 5 }, { label: 6 }] },
    });
  });

  test("is cut at mplsLabelsMax, also where a million elements take no bytes", () => {
    const result = labelsOnly([struct(1 << 20, 0, 0)], list(0, 7, 0));
    expect(result.ok && result.reply.replyMplsLabels).toHaveLength(mplsLabelsMax);
  });

  test.each([
    ["bits", [0n], list(0, 1, 8), "listElement"],
    ["a tag that is not a struct", [list(1, 1, 0), 0n], list(0, 7, 1), "listElement"],
    ["more elements than words", [struct(2, 1, 0), 0n], list(0, 7, 1), "pointerBounds"],
    ["words beyond the segment", [struct(1, 1, 0)], list(0, 7, 1), "pointerBounds"],
  ] as const)("of %s is refused", (_, words, listPointer, reason) => {
    expect(labelsOnly([...words], listPointer)).toMatchObject({ ok: false, reason });
  });
});

describe("refused", () => {
  const root = struct(0, 1, 1);
  test.each([
    ["no bytes", new Uint8Array(0), "truncated"],
    ["half a frame", new Uint8Array(7), "truncated"],
    ["a message cut by a byte", encodeProbe(probe).slice(0, -1), "truncated"],
    ["too many segments", framed(...Array.from({ length: segmentsMax + 1 }, () => [0n])), "segmentCount"],
    ["4 billion segments", framed([]).fill(0xff), "segmentCount"],
    ["too many words", framed(Array(messageWordsMax + 1).fill(0n)), "messageSize"],
    ["an empty segment", framed([]), "rootMissing"],
    ["a null root", framed([0n]), "rootMissing"],
    ["a list as root", framed([list(0, 2, 8), 0n]), "pointerKind"],
    ["a capability as root", framed([3n]), "pointerKind"],
    ["a root beyond its segment", framed([root, probeData]), "pointerBounds"],
    ["a root before its segment", framed([struct(-2, 1, 0)]), "pointerBounds"],
    ["a far pointer to no segment", framed([far(0, 1)]), "farSegment"],
    ["a far pad beyond its segment", framed([far(1, 0)]), "pointerBounds"],
    ["a far pad that is far", framed([far(1, 0), far(0, 0)]), "pointerKind"],
    ["a double pad without a far pointer", framed([far(1, 0, 2), root, root]), "pointerKind"],
    ["a double pad to no segment", framed([far(1, 0, 2), far(0, 9), root]), "farSegment"],
    ["a double pad cut in half", framed([far(1, 0, 2), far(0, 0)]), "pointerBounds"],
    ["a struct for an address", framed([root, probeData, struct(0, 2, 0), ...dstWords]), "pointerKind"],
    ["words for an address", framed([root, probeData, list(0, 5, 2), ...dstWords]), "listElement"],
    [
      "an address beyond its segment",
      framed([root, probeData, list(1, 2, 16), ...dstWords]),
      "pointerBounds",
    ],
    ["an address of 15 bytes", framed([root, probeData, list(0, 2, 15), ...dstWords]), "addressLength"],
    ["no address", framed([root, probeData, 0n]), "addressLength"],
    ["TTL 0", encodeProbe({ ...probe, ttl: 0 }), "ttlZero"],
    ["ICMP to IPv6", encodeProbe({ ...probe, protocol: "icmp" }), "protocolFamily"],
    ["protocol 4", framed([root, probeData + (3n << 48n), list(0, 2, 16), ...dstWords]), "protocolUnknown"],
  ] as const)("%s", (_, bytes, reason) => {
    expect(decodeProbe(bytes)).toMatchObject({ ok: false, reason });
  });

  test("text without NUL, of wrong UTF-8, or too long", () => {
    const named = (word: bigint, count: number) => framed([struct(0, 0, 1), list(0, 2, count), word]);
    expect(decodeReply(named(0x6261n, 3))).toMatchObject({ ok: true, reply: { agentId: "ab" } });
    expect(decodeReply(named(0xbf_bbefn, 4))).toMatchObject({ ok: true, reply: { agentId: "\ufeff" } });
    expect(decodeReply(named(0x636261n, 3))).toMatchObject({ ok: false, reason: "text" });
    expect(decodeReply(named(0xff61n, 3))).toMatchObject({ ok: false, reason: "text" });
    const long = framed([struct(0, 0, 1), list(0, 2, 257), ...Array(33).fill(0n)]);
    expect(decodeReply(long)).toMatchObject({ ok: false, reason: "text" });
  });

  test("a bad message whose frame is good does not hide the next one", () => {
    const bytes = new Uint8Array([...encodeProbe({ ...probe, ttl: 0 }), ...encodeProbe(probe)]);
    const bad = decodeProbe(bytes);
    expect(bad).toEqual({ ok: false, reason: "ttlZero", next: 48 });
    expect(decodeProbe(bytes, bad.next)).toMatchObject({ ok: true, probe, next: 96 });
  });
});

test("a reply that was decoded keeps no hold on its buffer", () => {
  const bytes = encodeReply({ ...sampleReply, agentId: "agent-1" });
  const result = decodeReply(bytes);
  bytes.fill(0xff);
  expect(result).toMatchObject({ ok: true, reply: { agentId: "agent-1", replySrcAddr: probe.dst } });
});

const zeros = {
  replyId: 0,
  replySize: 0,
  replyTtl: 0,
  replyQuotedTtl: 0,
  replyProtocol: 0,
  replyIcmpType: 0,
  replyQuotedTrafficClass: 0,
  replyNextHopMtu: 0,
  replyQuotedFlowLabel: 0,
  replySite: "",
  ...asSent,
};
const sampleReply = {
  ...zeros,
  ...{ replyIcmpCode: 0, probeId: 0, probeSize: 0, probeTtl: 0, probeProtocol: 0, probeSrcPort: 0 },
  ...{ probeDstPort: 0, rttTenthMs: 0, rttUs: 0, timeReceivedNs: 0n, agentId: "", replyMplsLabels: [] },
  replySrcAddr: probe.dst,
  replyDstAddr: probe.dst,
  probeSrcAddr: probe.dst,
  probeDstAddr: probe.dst,
};

test("bytes of an agent id are limited when encoding", () => {
  expect(() => encodeReply({ ...sampleReply, agentId: "é".repeat(121) })).toThrow(RangeError);
  expect(decodeReply(encodeReply({ ...sampleReply, agentId: "é".repeat(120) })).ok).toBe(true);
});

test("labels after the last that readers keep are left out", () => {
  const label = { label: 1, exp: 0, bottomOfStack: false, ttl: 1 };
  const full = encodeReply({ ...sampleReply, replyMplsLabels: Array(mplsLabelsMax).fill(label) });
  expect(encodeReply({ ...sampleReply, replyMplsLabels: Array(mplsLabelsMax + 1).fill(label) })).toEqual(
    full,
  );
});
