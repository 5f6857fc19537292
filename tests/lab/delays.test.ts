/** Time: RTTs show each delay that the responder adds, and an answer later than a wrap never gets one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { longTest } from "../run/long-test.ts";
import { Internet } from "./internet.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import { probeKinds, someProbeKinds } from "./probe-kinds.ts";
import { hopAddress, targetAddress } from "./responder/scenario.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const interfaceName = interfaceTo("eastAccess");
const sources = { v4: "192.0.2.2", v6: "2001:db8:e::2" } as const;
/** TTL of the first hop that the responder plays: eight kernels come before it. */
const firstVirtualTtl = 9;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test.each(someProbeKinds)("%s %s: RTTs are the delays of the hops", async (family, protocol) => {
  const probes = probeGrid({
    src: sources[family],
    dst: targetAddress(11)[family],
    protocol,
    flows: 20,
    ttls: [firstVirtualTtl, firstVirtualTtl + 3],
  });
  const order = { interfaceName, probes, repliesExpected: 80, rateProbesPerSec: 1000, waitMs: 60_000 };
  const { replies } = await probeFrom(net, "east", order);
  expect(replies.length).toBe(80);
  for (const [i, delayMs] of [5, 50, 300, 0].entries()) {
    const rttsMs = replies
      .filter((reply) => reply.ttl === firstVirtualTtl + i)
      .map((reply) => reply.rttTenthMs / 10);
    // No answer is early by more than a tick. Each may be late on a busy machine: how late, a bench judges.
    expect(Math.min(...rttsMs)).toBeGreaterThanOrEqual(delayMs - 0.1);
    expect(Math.min(...rttsMs)).toBeLessThan(delayMs + 2000);
  }
});

test.each(someProbeKinds)(
  "%s %s: an answer to each measurement goes to that measurement",
  async (family, protocol) => {
    const dst = targetAddress(11)[family];
    const src = sources[family];
    const probes = Array.from({ length: 50 }, (_, i) => i + 1).flatMap((measurement) => {
      const ttl = firstVirtualTtl + (measurement % 3);
      return probeGrid({ src, dst, protocol, flows: 2, ttls: [ttl, ttl], measurement }).map((probe) => ({
        ...probe,
        srcPort: 10_000 + 10 * measurement + probe.srcPort,
      }));
    });
    const order = { interfaceName, probes, repliesExpected: 100, rateProbesPerSec: 5000, waitMs: 60_000 };
    const { replies } = await probeFrom(net, "east", order);
    expect(replies.length).toBe(100);
    for (const { srcPort, measurement } of replies) {
      expect(Math.floor((srcPort - 34_000) / 10)).toBe(measurement);
    }
  },
);

test("the send time of a probe is known before its answer, however soon that comes", async () => {
  const [src, dst] = [sources.v4, targetAddress(11).v4];
  const probes = probeGrid({ src, dst, protocol: "udp", flows: 30_000, ttls: [1, 1] });
  const order = {
    interfaceName,
    probes,
    repliesExpected: 30_000,
    rateProbesPerSec: 1_000_000,
    waitMs: 60_000,
  };
  const { repliesTotal, untimed, wrong } = await probeFrom(net, "east", order);
  expect(repliesTotal).toBeGreaterThan(20_000);
  // Batches that share a tick have no time in microseconds, rather than a wrong one.
  expect({ untimed, wrong }).toEqual({ untimed: 0, wrong: 0 });
});

test.each(someProbeKinds)(
  "%s %s: the time in microseconds is what sender and capture noted, at 1,000 and at 100,000 a second",
  async (family, protocol) => {
    const grid = { src: sources[family], dst: targetAddress(11)[family], protocol, ttls: [1, 1] as const };
    for (const rateProbesPerSec of [1000, 100_000]) {
      const probes = probeGrid({ ...grid, flows: 500 });
      const order = { interfaceName, probes, repliesExpected: 500, rateProbesPerSec, waitMs: 60_000 };
      const { repliesTotal, fine, wrong } = await probeFrom(net, "east", order);
      expect({ repliesTotal, fine, wrong }).toEqual({ repliesTotal: 500, fine: 500, wrong: 0 });
    }
  },
);

describe.each(someProbeKinds)("forged answers, %s %s", (family, protocol) => {
  // A hop, a true one, and the target; UDP's target quotes, the others answer for themselves.
  const grid = { src: sources[family], dst: targetAddress(16)[family], protocol };
  const probes = probeGrid({ ...grid, flows: 10, ttls: [firstVirtualTtl, firstVirtualTtl + 2] });

  test("are refused and counted", async () => {
    const order = { interfaceName, probes, repliesExpected: 30, waitMs: 400 };
    const { replies, counters } = await probeFrom(net, "east", order);
    expect(replies.map((reply) => reply.from)).toEqual(new Array(10).fill(hopAddress(23)[family]));
    const { reply_mismatch: mismatch, reply_tcp_unproven: unproven } = counters;
    expect({ mismatch, unproven }).toEqual(
      protocol === "tcp" ? { mismatch: 0, unproven: 20 } : { mismatch: 20, unproven: 0 },
    );
  });

  test("are kept without RTT where the check is off, but for those of TCP itself", async () => {
    const order = { interfaceName, probes, repliesExpected: 30, integrityCheck: false, waitMs: 400 };
    const { replies } = await probeFrom(net, "east", order);
    const forged = replies.filter((reply) => reply.from !== hopAddress(23)[family]);
    const kinds = forged.map((reply) => `${reply.verdict} ${reply.rttTenthMs}`);
    expect(kinds).toEqual(new Array(protocol === "tcp" ? 10 : 20).fill("mismatch 65535"));
  });
});

describe("an answer after 7 s", () => {
  test("is counted for every protocol: as stale where the tag tells so", async () => {
    const probes = probeKinds.flatMap(([family, protocol]) => {
      const grid = { src: sources[family], dst: targetAddress(12)[family], protocol };
      return probeGrid({ ...grid, flows: 20, ttls: [firstVirtualTtl, firstVirtualTtl] });
    });
    const outcome = await probeFrom(net, "east", { interfaceName, probes, waitMs: 7500 });
    // An IPv6 error about TCP quotes 8 bits of tag: too few to say that they are of an earlier wrap.
    const { reply_stale: stale, reply_tcp_unproven: unproven } = outcome.counters;
    expect({ stale, unproven }).toEqual({ stale: probes.length - 20, unproven: 20 });
    expect(outcome.repliesTotal).toBe(0);
  });

  // The last test: on a busy machine answers to its probes still come in when it has ended.
  longTest("is counted stale, with no false RTT, at 20,000 probes a second", async () => {
    const gridOf = (family: "v4" | "v6", id: number, flows: number, ttl: number) =>
      probeGrid({
        src: sources[family],
        dst: targetAddress(id)[family],
        protocol: "udp",
        flows,
        ttls: [ttl, ttl],
      });
    const families = ["v4", "v6"] as const;
    const late = families.flatMap((family) => gridOf(family, 12, 9, firstVirtualTtl));
    const prompt = families.flatMap((family) => gridOf(family, 10, 1, firstVirtualTtl + 1));
    const rounds = 9000;
    const outcome = await probeFrom(net, "east", {
      interfaceName,
      probes: [...late, ...prompt],
      rounds,
      rateProbesPerSec: 20_000,
      waitMs: 7500,
    });
    const { counters, replies } = outcome;
    // Nine seconds of sending: for two of them answers to old probes come in at the full rate as new ones leave.
    expect(counters.sender_sent).toBe(20 * rounds);
    expect(counters.reply_stale).toBeGreaterThan(9 * rounds);
    expect(counters.reply_stale).toBeLessThanOrEqual(18 * rounds);
    expect(outcome.repliesTotal).toBeGreaterThan(rounds);
    expect(outcome.repliesTotal).toBeLessThanOrEqual(2 * rounds);
    const { v4, v6 } = hopAddress(2);
    expect(new Set(replies.map((reply) => reply.from))).toEqual(new Set([v4, v6]));
    expect(median(replies.map((reply) => reply.rttTenthMs))).toBeLessThan(4000);
    expect(counters.reply_mismatch).toBe(0);
  });
});
