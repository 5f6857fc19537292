/** What the responder says, read by the reader of lib/net/packet: two pieces of code that share nothing must agree. */
import { describe, expect, test } from "bun:test";
import { address, formatAddress } from "../../../lib/net/ip/address.ts";
import { tagFits, tagKey, tagOf } from "../../../lib/net/packet/tag.ts";
import { wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import { buildProbe } from "../../packet/build.ts";
import { linkType } from "../../packet/link-layer.ts";
import type { RawReply } from "../../packet/raw-reply.ts";
import { readReply } from "../../packet/read.ts";
import { type ProbeKind, probeKinds } from "../probe-kinds.ts";
import { Answerer } from "./answerer.ts";
import { finishChecksum, wordSum } from "./checksum.ts";
import { hopAddress, targetAddress, virtualTargetList } from "./scenario.ts";

const key = tagKey(new Uint8Array(16), "lab", 1);
const tick = 17_000_000_123;
const sources = { v4: "192.0.2.2", v6: "2001:db8:e::2" };
const srcPort = 24_000;

/** The answer to a probe that reaches the responder with this TTL; null when there is none. */
function answerTo(
  [family, protocol]: ProbeKind,
  target: number,
  ttl: number,
  dstPort = 80,
): Uint8Array | null {
  const probe = { dst: address(targetAddress(target)[family]), srcPort, dstPort, ttl, protocol };
  const packet = buildProbe(probe, { src: address(sources[family]), tick, key });
  return new Answerer(virtualTargetList).answer(packet)?.packet ?? null;
}

function read(packet: Uint8Array | null): RawReply {
  const result = packet === null ? null : readReply(packet, linkType.raw);
  if (result?.ok !== true) {
    throw new Error(`Cannot read the answer: ${result?.reason ?? "there is none"}`);
  }
  return result.raw;
}

function fitsTag(raw: RawReply, ttl: number): boolean {
  const { probeDstAddr: dst, probeSrcPort, probeProtocol } = raw;

  const time = { wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick) };
  const fields = { dst, srcPort: probeSrcPort, ttl, protocolNumber: probeProtocol, ...time };
  return tagFits(tagOf(key, fields), raw.quotedTag);
}

/** Zero when the IPv4 header and the ICMP message or TCP segment are both right. */
function checksumErrors([family]: ProbeKind, packet: Uint8Array): number {
  const headerBytes = family === "v4" ? 20 : 40;
  const protocol = family === "v4" ? (packet[9] ?? 0) : (packet[6] ?? 0);
  const addresses = family === "v4" ? wordSum(packet, 12, 20) : wordSum(packet, 8, 40);
  const pseudo = protocol === 1 ? 0 : addresses + protocol + packet.length - headerBytes;
  const header = family === "v4" ? finishChecksum(wordSum(packet, 0, 20)) : 0;
  return header + finishChecksum(pseudo + wordSum(packet, headerBytes, packet.length));
}

describe.each(probeKinds)("%s %s", (...which) => {
  const [family, protocol] = which;

  test("a hop says time exceeded and quotes the probe", () => {
    const packet = answerTo(which, 10, 2);
    const raw = read(packet);
    expect(formatAddress(raw.replySrcAddr)).toBe(hopAddress(2)[family]);
    expect(formatAddress(raw.replyDstAddr)).toBe(sources[family]);
    expect(raw.replyIcmpType).toBe(family === "v4" ? 11 : 3);
    expect(formatAddress(raw.probeDstAddr)).toBe(targetAddress(10)[family]);
    expect([raw.probeSrcPort, raw.probeTtl, raw.replyQuotedTtl]).toEqual([srcPort, 2, 1]);
    expect(fitsTag(raw, 2)).toBe(true);
    expect(checksumErrors(which, packet ?? new Uint8Array())).toBe(0);
  });

  test("a target answers in the way of the protocol", () => {
    const packet = answerTo(which, 10, 9);
    const raw = read(packet);
    expect(formatAddress(raw.replySrcAddr)).toBe(targetAddress(10)[family]);
    const portUnreachable = family === "v4" ? [3, 3] : [1, 4];
    const kinds = { udp: portUnreachable, icmp: [0, 0], icmpv6: [129, 0], tcp: [0, 0x12] };
    expect([raw.replyIcmpType, raw.replyIcmpCode]).toEqual(kinds[protocol]);
    expect(raw.probeTtl).toBe(9);
    expect(fitsTag(raw, 9)).toBe(true);
    expect(checksumErrors(which, packet ?? new Uint8Array())).toBe(0);
  });

  test.each([
    [1, [24_015, 3001]],
    [2, [24_016]],
    [3, []],
  ])("hop %i of the tunnel carries labels %p", (ttl, labels) => {
    const raw = read(answerTo(which, 13, ttl));
    expect(raw.replyMplsLabels.map((entry) => entry.label)).toEqual(labels);
    expect(raw.replyMplsLabels.at(-1)?.bottomOfStack ?? true).toBe(true);
    expect(fitsTag(raw, ttl)).toBe(true);
  });

  test("a short quote still tells the TTL", () => {
    const packet = answerTo(which, 14, 1);
    expect(packet?.length).toBe(family === "v4" ? 20 + 8 + 20 + 8 : 40 + 8 + 40 + 8);
    expect(read(packet).probeTtl).toBe(1);
  });

  test("a rewritten checksum changes the time code of UDP only", () => {
    const asSent = read(answerTo(which, 15, 2)).wireTimeCode;
    const rewritten = read(answerTo(which, 15, 1)).wireTimeCode;
    expect(rewritten === asSent).toBe(protocol !== "udp");
  });

  test.each([1, 9])("a forged answer to TTL %i has everything right but the tag", (ttl) => {
    const raw = read(answerTo(which, 16, ttl));
    expect([formatAddress(raw.probeDstAddr), raw.probeSrcPort, raw.probeTtl]).toEqual([
      targetAddress(16)[family],
      srcPort,
      ttl,
    ]);
    expect(fitsTag(raw, ttl)).toBe(false);
  });

  test.each([
    [20, 0, 0],
    [21, 1, 3],
    [22, 2, 4],
    [23, 13, 1],
    [24, 10, 5],
  ])("target %i says unreachable by code %i (IPv6: %i)", (target, code4, code6) => {
    const raw = read(answerTo(which, target, 9));
    expect([raw.replyIcmpType, raw.replyIcmpCode]).toEqual(family === "v4" ? [3, code4] : [1, code6]);
  });

  test("a silent hop and a silent target say nothing, what is between them does", () => {
    expect([1, 2, 3].map((ttl) => answerTo(which, 18, ttl) === null)).toEqual([true, false, true]);
  });
});

test("a closed TCP port answers RST", () => {
  expect(read(answerTo(["v4", "tcp"], 10, 9, 81)).replyIcmpCode).toBe(0x14);
});

test("delays are those of the hop", () => {
  const answerer = new Answerer(virtualTargetList);
  const delays = [1, 2, 3, 4].map((ttl) => {
    const probe = { dst: address("198.51.100.11"), srcPort, dstPort: 33_434, ttl, protocol: "udp" as const };
    return answerer.answer(buildProbe(probe, { src: address(sources.v4), tick, key }))?.delayMs;
  });
  expect(delays).toEqual([5, 50, 300, 0]);
});

test("a lossy hop loses about its share, the same in every run", () => {
  const answered = (): number => {
    const answerer = new Answerer(virtualTargetList);
    const probe = {
      dst: address("198.51.100.17"),
      srcPort,
      dstPort: 33_434,
      ttl: 1,
      protocol: "udp" as const,
    };
    const packet = buildProbe(probe, { src: address(sources.v4), tick, key });
    return Array.from({ length: 1000 }, () => answerer.answer(packet.slice())).filter((a) => a !== null)
      .length;
  };
  expect(answered()).toBeGreaterThan(600);
  expect(answered()).toBeLessThan(740);
  expect(answered()).toBe(answered());
});

test("what is not a probe to a target gets no answer", () => {
  const answerer = new Answerer(virtualTargetList);
  for (const bytes of [
    [],
    [0x45],
    new Array(20).fill(0x45),
    new Array(64).fill(0x60),
    new Array(64).fill(0),
  ]) {
    expect(answerer.answer(Uint8Array.from(bytes))).toBeNull();
  }
});
