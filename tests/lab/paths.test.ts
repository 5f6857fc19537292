/**
 * Every protocol, both families, both vantage points: the engine finds the drawn path, all of it and nothing else.
 *
 * What is expected comes from the topology and the responder's table, not from another measurement.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isLongRun } from "../run/tier.ts";
import { Internet } from "./internet.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import type { SeenReply } from "./probe-job.ts";
import { probeKinds } from "./probe-kinds.ts";
import { hopAddress, targetAddress, virtualTargetList } from "./responder/scenario.ts";
import { expectedSteps, identity, interfaceTo, nodeNamed } from "./routing.ts";
import { internet } from "./topology.ts";

type Family = "v4" | "v6";
/** In the usual tier each of them from one side. */
const cases = ["east", "west"]
  .flatMap((vantage) => probeKinds.map(([family, protocol]) => ({ vantage, family, protocol })))
  .filter((_, i) => isLongRun || Math.floor(i / probeKinds.length) === i % 2);

/** Chance that 16 flows all take one of two paths: 1 in 32,768 where the kernel's seed cannot be set. */
const flows = 16;
const plainSource = {
  east: { v4: "192.0.2.2", v6: "2001:db8:e::2" },
  west: { v4: "192.0.2.10", v6: "2001:db8:f::2" },
} as const;
const routedSource = {
  east: { v4: "10.101.0.7", v6: "2001:db8:e000:1234::7" },
  west: { v4: "10.102.0.7", v6: "2001:db8:f000:1234::7" },
} as const;
const kernelTarget = { v4: "203.0.113.10", v6: "2001:db8:cb::10" } as const;

/** Addresses that answer at each TTL: routers that are not silent, in the order of the path. */
function routersTo(vantage: string, goal: string, family: Family): string[][] {
  return expectedSteps(internet, vantage, goal).map((names) =>
    names
      .map((name) => nodeNamed(internet, name))
      .filter((node) => node.silent !== true)
      .map((node) => identity(node)[family])
      .sort(),
  );
}

/** The whole row of answers to a virtual target: kernel routers, virtual hops, the target. */
function rowTo(vantage: string, target: number, family: Family): string[][] {
  const hops = virtualTargetList.find(({ id }) => id === target)?.hops ?? [];
  return [
    ...routersTo(vantage, "virtual", family),
    ...hops.map((hop) => (hop.silent === true ? [] : [hopAddress(hop.id)[family]])),
    [targetAddress(target)[family]],
  ];
}

function answerersByTtl(replies: readonly SeenReply[], last: number): string[][] {
  return Array.from({ length: last }, (_, i) => {
    const sources = replies.filter((reply) => reply.ttl === i + 1).map((reply) => reply.from);
    return [...new Set(sources)].sort();
  });
}

/** Probes that got an answer, each named once for each answer. */
const answeredProbes = (replies: readonly SeenReply[]): string[] =>
  replies.map((reply) => `${reply.srcPort}/${reply.ttl}`);

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

describe.each(cases)("$protocol $family from $vantage", ({ vantage, family, protocol }) => {
  const src = plainSource[vantage === "east" ? "east" : "west"][family];
  const interfaceName = interfaceTo(vantage === "east" ? "eastAccess" : "westAccess");

  test("finds every hop to a kernel's target, both branches, and one answer to each probe", async () => {
    const path = routersTo(vantage, "target", family).with(-1, [kernelTarget[family]]);
    const probes = probeGrid({ src, dst: kernelTarget[family], protocol, flows, ttls: [1, path.length] });
    const repliesExpected = flows * path.filter((answerers) => answerers.length > 0).length;
    const outcome = await probeFrom(net, vantage, { interfaceName, probes, repliesExpected });
    expect(answerersByTtl(outcome.replies, path.length)).toEqual(path);
    expect(outcome.repliesTotal).toBe(repliesExpected);
    expect(new Set(answeredProbes(outcome.replies)).size).toBe(repliesExpected);
    expect(outcome.failures).toEqual([]);
    expectOneBranchPerFlow(outcome.replies, family);
  });

  test("finds virtual hops and the target behind them, labels on the right hops only", async () => {
    const path = rowTo(vantage, 13, family);
    const dst = targetAddress(13)[family];
    const probes = probeGrid({ src, dst, protocol, flows: 2, ttls: [1, path.length] });
    const repliesExpected = 2 * path.filter((answerers) => answerers.length > 0).length;
    const { replies } = await probeFrom(net, vantage, { interfaceName, probes, repliesExpected });
    const labels = Object.fromEntries(
      replies.filter((reply) => reply.labels.length > 0).map((reply) => [reply.from, reply.labels]),
    );
    expect(labels).toEqual({
      [hopAddress(15)[family]]: [
        { label: 24_015, exp: 0, bottomOfStack: false, ttl: 1 },
        { label: 3001, exp: 5, bottomOfStack: true, ttl: 254 },
      ],
      [hopAddress(16)[family]]: [{ label: 24_016, exp: 1, bottomOfStack: true, ttl: 1 }],
    });
    const virtualPart = answerersByTtl(replies, path.length).slice(-4);
    expect(virtualPart).toEqual(path.slice(-4));
  });

  test("works from an address of a routed prefix that is on no interface", async () => {
    const source = routedSource[vantage === "east" ? "east" : "west"][family];
    const path = rowTo(vantage, 18, family).with(-1, []);
    const dst = targetAddress(18)[family];
    const probes = probeGrid({ src: source, dst, protocol, flows: 2, ttls: [1, path.length] });
    const repliesExpected = 2 * path.filter((answerers) => answerers.length > 0).length;
    const { replies } = await probeFrom(net, vantage, { interfaceName, probes, repliesExpected });
    expect(replies.length).toBe(repliesExpected);
    expect(new Set(replies.map((reply) => reply.to))).toEqual(new Set([source]));
    const silentRemoved = path.map((answerers) => answerers.length > 0);
    expect(answerersByTtl(replies, path.length).map((found) => found.length > 0)).toEqual(silentRemoved);
  });
});

/** What answered at the first routers of the branches and at the second must be the same branch. */
function expectOneBranchPerFlow(replies: readonly SeenReply[], family: Family): void {
  const of = (name: string) => identity(nodeNamed(internet, name))[family];
  const second = { [of("up1")]: of("up2"), [of("low1")]: of("low2") };
  const at = (ttl: number, srcPort: number) =>
    replies.find((reply) => reply.ttl === ttl && reply.srcPort === srcPort)?.from ?? "";
  for (const srcPort of new Set(replies.map((reply) => reply.srcPort))) {
    expect(at(4, srcPort)).toBe(second[at(3, srcPort)] ?? "no branch");
  }
}

describe.each(["v4", "v6"] as const)("answers of targets, %s", (family) => {
  const src = plainSource.east[family];
  const interfaceName = interfaceTo("eastAccess");
  const codes = virtualTargetList.flatMap(({ id, unreachable }) =>
    unreachable === undefined ? [] : [[id, unreachable[family]] as const],
  );

  test.each(codes)("target %i is unreachable by code %i", async (id, code) => {
    const dst = targetAddress(id)[family];
    const probes = probeGrid({ src, dst, protocol: "udp", flows: 1, ttls: [20, 20] });
    const { replies } = await probeFrom(net, "east", { interfaceName, probes, repliesExpected: 1 });
    const kinds = replies.map((reply) => [reply.from, reply.icmpType, reply.icmpCode]);
    expect(kinds).toEqual([[dst, family === "v4" ? 3 : 1, code]]);
  });

  test("a router on the way refuses: administratively prohibited", async () => {
    const dst = family === "v4" ? "203.0.113.130" : "2001:db8:cb:1::5";
    const probes = probeGrid({ src, dst, protocol: "udp", flows: 1, ttls: [8, 20] });
    const { replies } = await probeFrom(net, "east", { interfaceName, probes, repliesExpected: 13 });
    const edge = identity(nodeNamed(internet, "edge"))[family];
    const kinds = new Set(replies.map((reply) => `${reply.from} ${reply.icmpType} ${reply.icmpCode}`));
    expect([...kinds]).toEqual([family === "v4" ? `${edge} 3 13` : `${edge} 1 1`]);
    expect(replies.length).toBe(13);
  });

  test.each([
    [80, 0x12],
    [81, 0x14],
  ])("port %i answers a SYN with flags %i", async (dstPort, flags) => {
    const dst = kernelTarget[family];
    const probes = probeGrid({ src, dst, protocol: "tcp", flows: 4, ttls: [20, 20], dstPort });
    const { replies } = await probeFrom(net, "east", { interfaceName, probes, repliesExpected: 4 });
    expect(replies.map((reply) => [reply.from, reply.icmpCode])).toEqual(new Array(4).fill([dst, flags]));
  });

  /** Eight bytes of an IPv6 probe hold no bit of the tag, of an IPv4 probe 16 bits in the IP header before them. */
  test("an 8-byte quote is believed as far as it carries the tag", async () => {
    const dst = targetAddress(14)[family];
    const probes = probeGrid({ src, dst, protocol: "udp", flows: 5, ttls: [9, 9] });
    const { replies, counters } = await probeFrom(net, "east", { interfaceName, probes, waitMs: 300 });
    const seen = replies.map(({ from, ttl, verdict }) => ({ from, ttl, verdict }));
    const believed = { from: hopAddress(18)[family], ttl: 9, verdict: "match" };
    expect(seen).toEqual(family === "v4" ? new Array(5).fill(believed) : []);
    expect(counters.reply_untagged).toBe(family === "v4" ? 0 : 5);
  });

  test("a rewritten checksum gives no false RTT", async () => {
    const dst = targetAddress(15)[family];
    const probes = probeGrid({ src, dst, protocol: "udp", flows: 20, ttls: [9, 10] });
    const order = { interfaceName, probes, repliesExpected: 40, integrityCheck: false };
    const { replies } = await probeFrom(net, "east", order);
    // The time code is what the checksum was as sent; of a wrong one the time would be any up to 6.55 s.
    const isTrue = (rttTenthMs: number) => rttTenthMs < 20_000;
    const kindsAt = (ttl: number) => [
      ...new Set(
        replies
          .filter((reply) => reply.ttl === ttl)
          .map(({ from, verdict, rttTenthMs }) => `${from} ${verdict} ${isTrue(rttTenthMs)}`),
      ),
    ];
    expect(kindsAt(9)).toEqual([`${hopAddress(20)[family]} match true`]);
    expect(kindsAt(10)).toEqual([`${hopAddress(21)[family]} match true`]);
  });
});
