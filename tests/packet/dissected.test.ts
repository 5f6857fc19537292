/**
 * Probes of every shape, as the hot path fills them: the bytes of the plain builder, and dissected by tshark none is
 * malformed, has a wrong checksum, or is anything but what it is meant to be.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hotpath } from "../../ffi/hotpath/hotpath.ts";
import { address, isIpv4 } from "../../lib/net/ip/address.ts";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import { dnsPort, dnsQuestions } from "../../lib/net/packet/dns-question.ts";
import { type Probe, type ProbeShape, protocolFitsFamily, protocols } from "../../lib/net/packet/probe.ts";
import { tagKey } from "../../lib/net/packet/tag.ts";
import { wireTimeCode, wrapOf } from "../../lib/net/packet/time-code.ts";
import { runToEnd } from "../run/said.ts";
import { writeSavefile } from "../vectors/hand/savefile.ts";
import { buildProbe } from "./build.ts";
import { putProbe } from "./put-probe.ts";

const key = tagKey(Uint8Array.of(4, 6), "agent", 1);
const tick = 17_952_519_000_123;
const targets = ["198.51.100.7", "2001:db8:7::7"].map((text) => address(text));
const sources = { 4: address("192.0.2.10"), 6: address("2001:db8::10") };
const ttls = [1, 30, 255];
const rawIp = 101;

const shapes: readonly ProbeShape[] = [
  {},
  { trafficClass: 0xb8 },
  { trafficClass: 3, flowLabel: 0xabcde },
  { dontFragment: true },
  ...[314, 576, 1280, 1400, 1500, 9000].map((sizeBytes) => ({ sizeBytes, dontFragment: true })),
];

const probes: readonly Probe[] = targets.flatMap((dst) => {
  const ports = { dst, srcPort: 24_007, dstPort: 33_434 };
  const family = isIpv4(dst) ? 4 : 6;
  const fitting = protocols.filter((protocol) => protocolFitsFamily(protocol, family));
  return [
    ...fitting.flatMap((protocol) =>
      shapes.flatMap((shape) => ttls.map((ttl) => ({ ...ports, ttl, protocol, shape }))),
    ),
    ...dnsQuestions.flatMap((dns) =>
      ttls.map((ttl): Probe => {
        return { ...ports, dstPort: dnsPort, ttl, protocol: "udp", shape: { dns, trafficClass: 0x28 } };
      }),
    ),
  ];
});

function sender(): Hotpath {
  const hotpath = new Hotpath();
  hotpath.configureSend({ key, layer: "ip", mac: new Uint8Array(6) });
  hotpath.setPadding(0xffff_ffff);
  const all = ["0.0.0.0/0", "::/0"].flatMap((text) => parsePrefix(text) ?? []);
  hotpath.setRoutes(all.map((prefix) => ({ prefix, kind: "onLink" as const })));
  return hotpath;
}

test("probes of every shape are the plain builder's, and tshark finds nothing wrong with them", async () => {
  const hotpath = sender();
  const packets = probes.map((probe) => {
    const src = sources[isIpv4(probe.dst) ? 4 : 6];
    putProbe(hotpath, 0, probe, src);
    expect(hotpath.fill(0, 1, wireTimeCode(tick), wrapOf(tick))).toBe(1);
    const frame = Uint8Array.from(hotpath.frame(0));
    expect(Buffer.compare(frame, buildProbe(probe, { src, tick, key }))).toBe(0);
    return { timeNs: 0n, frame };
  });
  const folder = mkdtempSync(join(tmpdir(), "vantage-dissected-"));
  try {
    const file = join(folder, "probes.pcap");
    writeFileSync(file, writeSavefile({ linkType: rawIp, fractionNs: 1, packets }));
    const checks = ["ip.check_checksum", "udp.check_checksum", "tcp.check_checksum"].flatMap((name) => {
      return ["-o", `${name}:TRUE`];
    });
    const fields = ["_ws.malformed", "_ws.expert.severity", "ip.checksum.status", "udp.checksum.status"];
    const more = ["tcp.checksum.status", "icmp.checksum.status", "icmpv6.checksum.status", "dns.qry.name"];
    const args = [...fields, ...more].flatMap((name) => ["-e", name]);
    const command = ["tshark", "-n", "-r", file, ...checks, "-T", "fields", "-E", "separator=;", ...args];
    const { stdout, exitCode } = await runToEnd(command);
    const rows = stdout.trimEnd().split("\n");
    expect([exitCode, rows.length]).toEqual([0, probes.length]);
    for (const [i, row] of rows.entries()) {
      const [malformed, severity = "", ip, ...others] = row.split(";");
      const name = others.pop() ?? "";
      const { dst, shape } = probes[i] ?? {};
      expect({ row, malformed, wrong: /8388608/.test(severity) }).toEqual({
        row,
        malformed: "",
        wrong: false,
      });
      // 1: right. A SYN, a datagram or a message has one checksum, IPv4 another.
      expect({ row, ip, sums: others.join("") }).toEqual({
        ...{ row, ip: dst !== undefined && isIpv4(dst) ? "1" : "", sums: "1" },
      });
      expect(name !== "").toBe(shape?.dns !== undefined);
      expect(
        ["", "hostname.bind", "id.server"].includes(name.toLowerCase()) || name.endsWith(".invalid"),
      ).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
