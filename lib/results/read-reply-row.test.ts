import { expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { ianaNumber } from "../packet/probe.ts";
import { rttUnknownTenthMs } from "../packet/reply.ts";
import type { StoredReply } from "../store/clickhouse/replies-query.ts";
import { readReplyRow } from "./read-reply-row.ts";
import { replyColumns } from "./reply-columns.ts";

const stored: StoredReply = {
  attribution: "by_time",
  measurementId: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
  probeAgent: "west",
  probeInstance: 3,
  timeInsertedNs: 1_769_860_800_123_456_789n,
  reply: {
    timeReceivedNs: 1_769_860_800_123_456_789n,
    agentId: "east",
    replySrcAddr: address("192.0.2.1"),
    replyDstAddr: address("198.51.100.7"),
    replyId: 1,
    replySize: 56,
    replyTtl: 250,
    replyQuotedTtl: 2,
    replyProtocol: 1,
    replyIcmpType: 11,
    replyIcmpCode: 4,
    replyMplsLabels: [{ label: 24015, exp: 5, bottomOfStack: true, ttl: 9 }],
    probeSrcAddr: address("198.51.100.7"),
    probeDstAddr: address("203.0.113.9"),
    probeId: 6,
    probeSize: 40,
    probeTtl: 8,
    probeProtocol: ianaNumber.udp,
    probeSrcPort: 24000,
    probeDstPort: 33434,
    rttTenthMs: 123,
  },
};

function rowOf(one: StoredReply): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(Object.fromEntries(replyColumns.map(({ name, value }) => [name, value(one)]))),
  );
}

test("a row gives back the reply that it was made from", () => {
  expect(readReplyRow(rowOf(stored))).toEqual(stored);
});

test("a round-trip time that is not known stays so", () => {
  const { reply } = stored;
  const unknown = { ...stored, reply: { ...reply, rttTenthMs: rttUnknownTenthMs, probeProtocol: 132 } };
  expect(readReplyRow(rowOf(unknown))).toEqual(unknown);
});

test.each([
  ["time_received", "2026-01-31T12:00:00Z"],
  ["probe_dst_addr", "192.0.2"],
  ["probe_ttl", 256],
  ["rtt_ms", "1"],
  ["agent_id", undefined],
])("a row whose %s is %j is none", (name, value) => {
  expect(readReplyRow({ ...rowOf(stored), [name]: value })).toBeNull();
});
