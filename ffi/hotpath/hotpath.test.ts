import { expect, test } from "bun:test";
import fc from "fast-check";
import { address } from "../../lib/net/ip/address.ts";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import { dnsPort, dnsQuestions } from "../../lib/net/packet/dns-question.ts";
import {
  ianaNumber,
  type Probe,
  type Protocol,
  protocolFitsFamily,
  protocols,
  sizeBytesMin,
} from "../../lib/net/packet/probe.ts";
import { tagKey, tagOf, tcpPrint } from "../../lib/net/packet/tag.ts";
import { wireTimeCode, wrapOf } from "../../lib/net/packet/time-code.ts";
import { buildProbe } from "../../tests/packet/build.ts";
import { questionOf } from "../../tests/packet/dns-query.ts";
import { putProbe } from "../../tests/packet/put-probe.ts";
import { Hotpath } from "./hotpath.ts";
import * as at from "./memory-layout.ts";

const key = tagKey(Uint8Array.of(1, 2, 3), "agent", 9);
const gatewayMac = Uint8Array.of(2, 0, 0, 0, 0, 1);
const ownMac = Uint8Array.of(2, 0, 0, 0, 0, 2);

function prefix(text: string) {
  const parsed = parsePrefix(text);
  if (parsed === null) {
    throw new Error(text);
  }
  return parsed;
}

function sender(): Hotpath {
  const hotpath = new Hotpath();
  hotpath.configureSend({ key, layer: "ethernet", mac: ownMac });
  hotpath.setPadding(0xffff_ffff);
  hotpath.setRoutes([
    { prefix: prefix("203.0.113.0/24"), kind: "onLink" },
    { prefix: prefix("0.0.0.0/0"), kind: "gateway", mac: gatewayMac },
    { prefix: prefix("2001:db8::/32"), kind: "gateway", mac: gatewayMac },
  ]);
  return hotpath;
}

function printOf(probe: Probe, src: Uint8Array, tick: number): number {
  const time = { wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick) };
  const isIcmp = probe.protocol.startsWith("icmp");
  return tcpPrint(tagOf(key, { ...probe, protocolNumber: ianaNumber[probe.protocol], ...time }), {
    src,
    dstPort: isIcmp ? 0 : probe.dstPort,
  });
}

const port = fc.integer({ min: 0, max: 65535 });
const shapeArbitrary = fc.record(
  {
    sizeBytes: fc.integer({ min: sizeBytesMin[6], max: 9000 }),
    dontFragment: fc.boolean(),
    trafficClass: fc.integer({ min: 0, max: 255 }),
    flowLabel: fc.integer({ min: 1, max: 0xf_ffff }),
    dns: fc.constantFrom(...dnsQuestions),
  },
  { requiredKeys: [] },
);
const probeArbitrary = fc.record({
  shape: fc.oneof(fc.constant({}), shapeArbitrary),
  ipv4: fc.boolean(),
  dst: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  src: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  srcPort: port,
  dstPort: fc.oneof(port, fc.constant(dnsPort)),
  ttl: fc.integer({ min: 1, max: 255 }),
  protocol: fc.constantFrom<Protocol>(...protocols),
  tick: fc.integer({ min: 0, max: 2 ** 44 }),
});

test("frames are those of the reference builder, whatever stood in the slot before", () => {
  const hotpath = sender();
  const head4 = [...address("0.0.0.0")];
  const head6 = [...address("2001:db8::").subarray(0, 4)];
  fc.assert(
    fc.property(probeArbitrary, (fields) => {
      fc.pre(protocolFitsFamily(fields.protocol, fields.ipv4 ? 4 : 6));
      const head = fields.ipv4 ? head4.slice(0, 12) : head6;
      const probe: Probe = { ...fields, dst: fields.dst.slice() };
      probe.dst.set(head);
      const src = fields.src.slice();
      src.set(head);
      fc.pre(probe.dst[12] !== 203 || !fields.ipv4);
      putProbe(hotpath, 3, probe, src);
      expect(hotpath.fill(3, 4, wireTimeCode(fields.tick), wrapOf(fields.tick))).toBe(1);
      const etherType = fields.ipv4 ? [8, 0] : [0x86, 0xdd];
      const expected = [
        ...gatewayMac,
        ...ownMac,
        ...etherType,
        ...buildProbe(probe, { src, tick: fields.tick, key }),
      ];
      expect(Buffer.from(hotpath.frame(3))).toEqual(Buffer.from(expected));
      expect([...hotpath.tcpPrints()]).toEqual(
        probe.protocol === "tcp" || probe.shape?.sizeBytes !== undefined || questionOf(probe) !== null
          ? [printOf(probe, src, fields.tick)]
          : [],
      );
    }),
    { numRuns: 3000 },
  );
});

test("a neighbour on the link is asked for once, and its MAC is used", () => {
  const hotpath = sender();
  const probe: Probe = { dst: address("203.0.113.9"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" };
  putProbe(hotpath, 0, probe, address("203.0.113.1"));
  expect([hotpath.fill(0, 1, 1, 1), hotpath.stopReason()]).toEqual([0, at.stopNeighbour]);
  hotpath.rememberNeighbour(probe.dst, Uint8Array.of(2, 9, 9, 9, 9, 9));
  expect([hotpath.fill(0, 1, 1, 1), hotpath.stopReason()]).toEqual([1, at.stopNone]);
  expect([...hotpath.frame(0).subarray(0, 6)]).toEqual([2, 9, 9, 9, 9, 9]);
  hotpath.forgetNeighbours();
  expect(hotpath.fill(0, 1, 1, 1)).toBe(0);
});

test("more neighbours than the table has room for never lose the newest", () => {
  const hotpath = sender();
  for (let i = 0; i < 3 * at.neighbourSlots; i++) {
    const dst = Uint8Array.from([
      ...address("203.0.113.0").subarray(0, 13),
      i >> 16,
      (i >> 8) & 255,
      i & 255,
    ]);
    hotpath.rememberNeighbour(dst, gatewayMac);
    dst.set([203, 0, 113], 12);
  }
  const last = address("203.0.113.77");
  hotpath.rememberNeighbour(last, gatewayMac);
  putProbe(hotpath, 0, { dst: last, srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" }, last);
  expect(hotpath.fill(0, 1, 1, 1)).toBe(1);
});

test("the IPv6 default route takes no IPv4 destination", () => {
  const hotpath = sender();
  hotpath.setRoutes([{ prefix: prefix("::/0"), kind: "gateway", mac: gatewayMac }]);
  const src = address("192.0.2.1");
  putProbe(hotpath, 0, { dst: address("192.0.2.9"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" }, src);
  expect([hotpath.fill(0, 1, 1, 1), hotpath.stopReason()]).toEqual([0, at.stopNoRoute]);
});

test("a destination without a route stops the batch there", () => {
  const hotpath = sender();
  const src = address("192.0.2.1");
  const probe: Probe = { dst: address("192.0.2.9"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" };
  putProbe(hotpath, 0, probe, src);
  putProbe(hotpath, 1, { ...probe, dst: address("2a00::1") }, src);
  putProbe(hotpath, 2, probe, src);
  expect([hotpath.fill(0, 3, 1, 1), hotpath.stopReason()]).toEqual([1, at.stopNoRoute]);
  expect([hotpath.fill(2, 3, 1, 1), hotpath.stopReason()]).toEqual([1, at.stopNone]);
});

test("of equal probes one leaves in each tick; what differs in any field leaves at once", () => {
  const hotpath = sender();
  const src = address("192.0.2.1");
  const probe: Probe = { dst: address("192.0.2.9"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "udp" };
  const others: [Probe, Uint8Array][] = [
    [{ ...probe, dstPort: 3 }, src],
    [{ ...probe, srcPort: 2 }, src],
    [{ ...probe, ttl: 4 }, src],
    [{ ...probe, protocol: "icmp" }, src],
    [{ ...probe, dst: address("192.0.2.8") }, src],
    [probe, address("192.0.2.2")],
  ];
  for (const [slot, [one, from]] of [[probe, src] as const, ...others].entries()) {
    putProbe(hotpath, slot, one, from);
  }
  const last = others.length + 1;
  putProbe(hotpath, last, probe, src);
  const departed = (first: number, tick: number) => [
    hotpath.fillDeparting(first, last + 1, wireTimeCode(tick), wrapOf(tick)),
    hotpath.stopReason(),
  ];
  expect(departed(0, 1_000_000)).toEqual([last, at.stopEqual]);
  expect(departed(last, 1_000_000)).toEqual([0, at.stopEqual]);
  expect(departed(last, 1_000_001)).toEqual([1, at.stopNone]);
  // ICMP has no destination port.
  putProbe(hotpath, last, { ...probe, protocol: "icmp", dstPort: 9 }, src);
  expect(departed(4, 1_000_002)).toEqual([last - 4, at.stopEqual]);
});

test("a tick has room for the probes of a fast sender, whose ports alone differ", () => {
  const hotpath = sender();
  const src = address("192.0.2.1");
  const probe: Probe = { dst: address("192.0.2.9"), srcPort: 1, dstPort: 2, ttl: 3, protocol: "tcp" };
  for (let tick = 1_000_000; tick < 1_000_100; tick++) {
    for (let slot = 0; slot < 200; slot++) {
      putProbe(hotpath, slot, { ...probe, dstPort: (tick * 200 + slot) & 0xffff }, src);
    }
    expect(hotpath.fillDeparting(0, 200, wireTimeCode(tick), wrapOf(tick))).toBe(200);
  }
});
