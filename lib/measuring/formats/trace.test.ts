/** What results say of themselves where nothing answered: the size, the time and the source of their probes. */
import { expect, test } from "bun:test";
import { buildProbe } from "../../../tests/packet/build.ts";
import { address } from "../../net/ip/address.ts";
import { type Protocol, protocolNames } from "../../net/packet/probe.ts";
import { tagKey } from "../../net/packet/tag.ts";
import { traceWriters } from "./forms.ts";
import { JsonTraceReader } from "./json-trace-reader.ts";
import { endUs, probeBytes, sourceOf, startUs, type Trace } from "./trace.ts";

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

test("a source that is not known is written as each format has it", () => {
  const trace: Trace = {
    ...{ measurement_id: "one", agent: "west", address: "203.0.113.9", protocol: "UDP", src_port: 24_000 },
    ...{ dst_port: 33_434, round: 0, probes: [{ ttl: 1, sent: 1 }], replies: [], probe_src_addr: null },
  };
  const text = (form: "atlas" | "iris" | "mtr") => Buffer.from(traceWriters[form]().row(trace)).toString();
  expect(text("atlas")).not.toMatch(/"(src_addr|from)"/);
  expect(new JsonTraceReader().line(text("atlas"))).toMatchObject({
    address: "203.0.113.9",
    source: "0.0.0.0",
  });
  expect(text("iris")).toContain('"probe_src_addr":"0.0.0.0"');
  expect(text("mtr")).toContain('"src":"west"');
});
