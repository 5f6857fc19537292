/** warts, byte by byte: a trace that scamper's own tools read (Debian's sc_warts2text, 20211212). */
import { expect, test } from "bun:test";
import { traceWriters } from "./forms.ts";
import type { Trace, TraceReply } from "./trace.ts";

/** Three hops by UDP, two labels at the second: the hop records, and no optional attributes. */
const hops = `
0003feef1a002f014010000000032c0300003c006c000000003c0100100220010db80255000000000000000000026ab13b800001
e240feef1e003d024010000000058e0300003c006c000000003c0100000c0008010105dcf00100bb9bfe100220010db80200000000
000000000000156ab13b800001e240feef1a002203401000000009c70104003c006c000000003c010000000000016ab13b800001e240
0000`.replaceAll(/\s/g, "");

const target = "2001:db8:51::13";
const sentNs = 0x6ab13b80n * 1_000_000_000n + 0x1e240n * 1000n;

const trace: Trace = {
  ...{ measurement_id: "default", agent: "agent-west", address: target, protocol: "UDP" },
  ...{ src_port: 24_000, dst_port: 33_434, round: 0 },
  probes: [1, 2, 3].map((ttl) => ({ ttl, sent: 1 })),
  replies: [
    reply(1, "2001:db8:255::2", 0.812, []),
    reply(2, "2001:db8:200::15", 1.422, [
      { label: 24_015, exp: 0, bottom_of_stack: false, ttl: 1 },
      { label: 3001, exp: 5, bottom_of_stack: true, ttl: 254 },
    ]),
    { ...reply(3, target, 2.503, []), reply_icmp_type: 1, reply_icmp_code: 4 },
  ],
};

function reply(
  ttl: number,
  from: string,
  rttMs: number,
  labels: TraceReply["reply_mpls_labels"],
): TraceReply {
  const receivedNs = sentNs + BigInt(Math.round(rttMs * 1e6));
  const seconds = new Date(Number(receivedNs / 1_000_000n)).toISOString().slice(0, 19);
  return {
    time_received: `${seconds}.${String(receivedNs % 1_000_000_000n).padStart(9, "0")}Z`,
    ...{ probe_ttl: ttl, reply_src_addr: from, rtt_ms: rttMs, reply_ttl: 64, reply_quoted_ttl: 1 },
    // Payloads of IPv6: 40 bytes less than on the wire.
    ...{ reply_size: 68, reply_id: 0, reply_protocol: 58, reply_icmp_type: 3, reply_icmp_code: 0 },
    ...{ reply_mpls_labels: labels, probe_src_addr: "2001:db8:f::1", probe_size: 20 },
  };
}

test("hops are written as scamper reads them, an address that comes again by its number", () => {
  const written = Buffer.from(traceWriters.warts().row(trace)).toString("hex");
  expect(written.slice(-hops.length)).toBe(hops);
});

test("a list and a cycle stand before the first trace of each measurement and agent, a stop of each at the end", () => {
  const writer = traceWriters.warts();
  const traces = [trace, trace, { ...trace, agent: "east" }, { ...trace, measurement_id: "other" }];
  const written = Buffer.concat([...traces.map((one) => writer.row(one)), writer.end()]);
  expect(typesOf(written)).toEqual([1, 2, 6, 6, 1, 2, 6, 1, 2, 6, 4, 4, 4]);
});

function typesOf(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    expect(bytes.readUInt16BE(at)).toBe(0x1205);
    types.push(bytes.readUInt16BE(at + 2));
  }
  return types;
}
