/** Replies as a gateway's events bring them: each probe counts once. */
import { expect, test } from "bun:test";
import { address } from "../../../../lib/net/ip/address.ts";
import type { Reply } from "../../../../lib/net/packet/reply.ts";
import { rttUnknownTenthMs } from "../../../../lib/net/packet/reply.ts";
import { RemotePath } from "./remote-path.ts";

const cell = { flow: 0, ttl: 1 };
const sentNs = 1_795_692_661_000_050_000n;

/** To a probe of one tick of 0.1 ms; null = its time is not known. */
function reply(tick: number, rttTenthMs: number | null) {
  const timeReceivedNs = sentNs + BigInt(tick + (rttTenthMs ?? 7)) * 100_000n;
  const own: Partial<Reply> = {
    ...{ timeReceivedNs, rttTenthMs: rttTenthMs ?? rttUnknownTenthMs, rttUs: 0, replyMplsLabels: [] },
    ...{ probeSrcAddr: address("192.0.2.9"), replySrcAddr: address("192.0.2.1") },
    ...{ replyProtocol: 1, replyIcmpType: 11, replyIcmpCode: 0 },
  };
  return { reply: own as Reply, measurementId: "", probeAgent: "", probeInstance: 0 };
}

function pathOf(probes: number): RemotePath {
  const path = new RemotePath({
    agent: "west",
    target: { name: "t", address: address("203.0.113.2"), protocol: "udp" },
    flows: 1,
    requestedSource: null,
  });
  for (let i = 0; i < probes; i++) {
    path.markSent(cell, 0);
  }
  return path;
}

test("copies of an answer answer no other probe, whatever their round-trip time", () => {
  const path = pathOf(4);
  expect(path.take(cell, reply(0, 90))).toMatchObject({ rttMs: 9 });
  expect(path.take(cell, reply(0, 94))).toBeNull();
  expect(path.take(cell, reply(20, 100))).toMatchObject({ rttMs: 10 });
  expect(path.take(cell, reply(20, 100))).toBeNull();
  path.finish();
  expect(path.repeated).toBe(2);
  expect(path.path.totals()).toMatchObject({ sent: 4, answered: 2, lost: 2 });
});

test("answers without a round-trip time are those of further probes, up to as many as were sent", () => {
  const path = pathOf(2);
  expect([null, null, null].map((rtt) => path.take(cell, reply(0, rtt)) === null)).toEqual([
    ...[false, false, true],
  ]);
  path.finish();
  expect(path.path.totals()).toMatchObject({ sent: 2, answered: 2, lost: 0 });
});
