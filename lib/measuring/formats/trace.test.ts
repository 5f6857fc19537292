/** What results say of themselves where nothing answered: the size, the time and the source of their probes. */
import { expect, test } from "bun:test";
import { buildProbe } from "../../../tests/packet/build.ts";
import { address } from "../../net/ip/address.ts";
import { type Protocol, protocolNames } from "../../net/packet/probe.ts";
import { tagKey } from "../../net/packet/tag.ts";
import { endUs, probeBytes, sourceOf, startUs } from "./trace.ts";

test.each<[Protocol, string, string]>([
  ["udp", "203.0.113.9", "192.0.2.1"],
  ["icmp", "203.0.113.9", "192.0.2.1"],
  ["tcp", "203.0.113.9", "192.0.2.1"],
  ["udp", "2001:db8::9", "2001:db8:f::1"],
  ["icmpv6", "2001:db8::9", "2001:db8:f::1"],
  ["tcp", "2001:db8::9", "2001:db8:f::1"],
])("%s to %s: the size is that of the packet", (protocol, to, from) => {
  const key = tagKey(new TextEncoder().encode("secret"), "west", 0);
  for (const ttl of [1, 32, 255]) {
    const probe = { dst: address(to), srcPort: 24_000, dstPort: 33_434, ttl, protocol };
    const packet = buildProbe(probe, { src: address(from), key, tick: 17_952_519_000_123 });
    const given = { replies: [], address: to, protocol: protocolNames[protocol], ttl };
    expect(probeBytes(given)).toBe(packet.length);
  }
});

test("time and source are those of the submission, of the same family", () => {
  const given = { replies: [], time_submitted: "2026-11-22T00:00:01.500Z", probe_src_addr: "192.0.2.1" };
  expect([startUs(given), endUs(given)]).toEqual([1_795_305_601_500_000, 1_795_305_601_500_000]);
  expect(sourceOf({ ...given, address: "203.0.113.9" })).toBe("192.0.2.1");
  expect(sourceOf({ ...given, address: "2001:db8::9" })).toBe("::");
  expect(sourceOf({ replies: [], address: "203.0.113.9" })).toBe("0.0.0.0");
  expect(startUs({ replies: [] })).toBeNull();
});
