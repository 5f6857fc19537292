import { describe, expect, test } from "bun:test";
import { address, formatAddress } from "../../lib/net/ip/address.ts";
import type { Probe } from "../../lib/net/packet/probe.ts";
import { tagKey } from "../../lib/net/packet/tag.ts";
import { buildProbe } from "./build.ts";
import { linkType } from "./link-layer.ts";
import { matchReply } from "./match.ts";
import { readReply } from "./read.ts";

const key = tagKey(new TextEncoder().encode("secret"), "agent-1", 1);
const tick = 17_952_519_000_123;
const src4 = address("192.0.2.10");
const src6 = address("2001:db8::10");
const probes: Probe[] = [
  { dst: address("198.51.100.7"), srcPort: 24000, dstPort: 33434, ttl: 7, protocol: "udp" },
  { dst: address("198.51.100.7"), srcPort: 0, dstPort: 0, ttl: 255, protocol: "icmp" },
  { dst: address("198.51.100.7"), srcPort: 65535, dstPort: 80, ttl: 1, protocol: "tcp" },
  { dst: address("2001:db8:7::7"), srcPort: 24001, dstPort: 33434, ttl: 8, protocol: "udp" },
  { dst: address("2001:db8:7::7"), srcPort: 24002, dstPort: 0, ttl: 64, protocol: "icmpv6" },
  { dst: address("2001:db8:7::7"), srcPort: 24003, dstPort: 443, ttl: 32, protocol: "tcp" },
  ...(["udp", "icmp"] as const).map((protocol) => {
    const shape = { sizeBytes: 1400, dontFragment: true, trafficClass: 0xb9 };
    return { dst: address("198.51.100.7"), srcPort: 24004, dstPort: 33434, ttl: 9, protocol, shape };
  }),
];
const sized6 = (["udp", "icmpv6"] as const).map((protocol): Probe => {
  const shape = { sizeBytes: 1500, trafficClass: 3, flowLabel: 0xabcde };
  return { dst: address("2001:db8:7::7"), srcPort: 24005, dstPort: 33434, ttl: 255, protocol, shape };
});

/** An ICMP error around `packet`, checksum left zero: nobody here checks it. */
function errorAround(packet: Uint8Array, quoteBytes = packet.length): Uint8Array {
  const ipv4 = (packet[0] ?? 0) >> 4 === 4;
  const quote = packet.slice(0, quoteBytes);
  const headerBytes = ipv4 ? 20 : 40;
  const frame = new Uint8Array(headerBytes + 8 + quote.length);
  const view = new DataView(frame.buffer);
  if (ipv4) {
    frame.set([0x45, 0], 0);
    view.setUint16(2, frame.length);
    frame.set([0x12, 0x34, 0, 0, 61, 1, 0, 0, 203, 0, 113, 1, ...src4.subarray(12), 11, 0], 4);
  } else {
    frame.set([0x60, 0, 0, 0], 0);
    view.setUint16(4, 8 + quote.length);
    frame.set([58, 61, ...address("2001:db8:ff::1"), ...src6, 3, 0], 6);
  }
  frame.set(quote, headerBytes + 8);
  return frame;
}

const allLeft = { hasLeft: () => true };
const sourceOf = (probe: Probe) => (probe.dst[10] === 0xff ? src4 : src6);

describe.each([...probes, ...sized6])("$protocol with ttl $ttl, shape $shape", (probe) => {
  const packet = buildProbe(probe, { src: sourceOf(probe), tick, key });

  test("has checksums that a router accepts", () => {
    const ipv4 = (packet[0] ?? 0) >> 4 === 4;
    expect(sumOf(packet.subarray(0, ipv4 ? 20 : 0)) % 0xffff).toBe(0);
    const transport = packet.subarray(ipv4 ? 20 : 40);
    const protocolNumber = packet[ipv4 ? 9 : 6] ?? 0;
    const pseudo = sumOf(packet.subarray(ipv4 ? 12 : 8, ipv4 ? 20 : 40)) + protocolNumber + transport.length;
    expect((sumOf(transport) + (probe.protocol === "icmp" ? 0 : pseudo)) % 0xffff).toBe(0);
  });

  test("comes back whole from an error that quotes it", () => {
    const result = readReply(errorAround(packet), linkType.raw);
    expect(result).toMatchObject({
      ok: true,
      raw: {
        probeDstAddr: probe.dst,
        probeSrcAddr: sourceOf(probe),
        probeTtl: probe.ttl,
        probeSrcPort: probe.srcPort,
        probeDstPort: probe.protocol.startsWith("icmp") ? 0 : probe.dstPort,
        replyQuotedTtl: probe.ttl,
      },
    });
    const match = result.ok
      ? matchReply(result.raw, tick + 1234, [tagKey(new Uint8Array(), "other", 0), key], allLeft)
      : null;
    expect(match).toEqual({ verdict: "match", key: 1, sentTick: tick });
  });

  test("is stale after one wrap of the time code, and forged when a quoted bit of the tag is wrong", () => {
    const result = readReply(errorAround(packet), linkType.raw);
    if (!result.ok || result.raw.quotedTag.mask < 0x100_0000n) {
      return;
    }
    expect(matchReply(result.raw, tick + 70_000, [key], allLeft).verdict).toBe("stale");
    const quotedTag = { ...result.raw.quotedTag, value: result.raw.quotedTag.value ^ 0x10000n };
    expect(matchReply({ ...result.raw, quotedTag }, tick + 70_000, [key], allLeft).verdict).toBe("mismatch");
  });

  test("gives TTL and time back from an 8-byte quote", () => {
    const headerBytes = (packet[0] ?? 0) >> 4 === 4 ? 20 : 40;
    const result = readReply(errorAround(packet, headerBytes + 8), linkType.raw);
    // IPv6 has no identification that could hold the TTL of a probe with a size.
    expect(result).toMatchObject(
      sized6.includes(probe)
        ? { ok: false, reason: "quoteOther" }
        : { ok: true, raw: { probeTtl: probe.ttl, wireTimeCode: tick % 65535 } },
    );
  });
});

test("an error shows who sent it", () => {
  const [probe] = probes;
  const packet = probe && buildProbe(probe, { src: src4, tick, key });
  const result = packet && readReply(errorAround(packet), linkType.raw);
  expect(result?.ok && formatAddress(result.raw.replySrcAddr)).toBe("203.0.113.1");
});

test("a flow keeps every byte that routers hash", () => {
  for (const probe of probes) {
    const heads = [1, 2, 30].map((ttl, i) => {
      const packet = buildProbe({ ...probe, ttl }, { src: sourceOf(probe), tick: tick + 7777 * i, key });
      const transport = packet.subarray(probe.dst[10] === 0xff ? 20 : 40);
      return probe.protocol.startsWith("icmp") ? transport.slice(0, 6) : transport.slice(0, 4);
    });
    expect(heads[1]).toEqual(heads[0]);
    expect(heads[2]).toEqual(heads[0]);
  }
});

function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte, i) => sum + (i % 2 === 0 ? byte << 8 : byte), 0);
}
