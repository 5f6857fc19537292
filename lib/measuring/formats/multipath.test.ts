/** Graphs of flows whose nodes and links are known by hand. */
import { expect, test } from "bun:test";
import { type FlowTrace, graphOf } from "./multipath.ts";
import type { TraceReply } from "./trace.ts";

const address = "203.0.113.9";
const place = { measurement_id: "m", agent: "west", address, protocol: "UDP", dst_port: 33_434 } as const;

/** Routers of each TTL from 1, by their last byte; 0 is silence, 9 the destination. */
function flow(srcPort: number, ...hops: readonly (readonly number[])[]): FlowTrace {
  return {
    ...{ src_port: srcPort, round: 0 },
    probes: hops.map((routers, i) => ({ ttl: i + 1, sent: routers.length })),
    replies: hops.flatMap((routers, i) =>
      routers.flatMap((router, n) => (router === 0 ? [] : [reply(i + 1, router, n)])),
    ),
  };
}

/** Its probe is that of this number, each sent a millisecond later. */
function reply(ttl: number, router: number, number: number): TraceReply {
  const isTarget = router === 9;
  return {
    ...{ time_received: `2026-11-22T00:00:00.01${number}000000Z`, probe_ttl: ttl, rtt_ms: 1 },
    reply_src_addr: isTarget ? address : `198.51.100.${router}`,
    ...{ reply_ttl: 64, reply_quoted_ttl: 1, reply_size: 56, reply_id: 0, reply_protocol: 1 },
    ...{ reply_icmp_type: isTarget ? 3 : 11, reply_icmp_code: isTarget ? 3 : 0, reply_mpls_labels: [] },
    ...{ probe_src_addr: "192.0.2.1", probe_size: 29 },
  };
}

/** Links as `from>to/hops*probes`, nodes by their last byte. */
function linksOf(...flows: readonly FlowTrace[]): string[] {
  const { nodes, links } = graphOf({ ...place, flows });
  const nameOf = (node: number | null) => (node === null ? "*" : nodes[node]?.address.split(".").at(-1));
  return links.map(
    ({ from, to, hops, sets }) =>
      `${nameOf(from)}>${nameOf(to)}/${hops}*${sets.map((probes) => probes.length).join("+")}`,
  );
}

test("flows that part and meet again: a node for each address, a link for each step, from the source on", () => {
  expect(linksOf(flow(1, [2], [3], [5], [9]), flow(2, [2], [4], [5], [9]))).toEqual([
    ...["1>2/1*2", "2>3/1*1", "2>4/1*1", "3>5/1*1", "5>9/1*2", "4>5/1*1"],
  ]);
});

test("silent hops are steps of one link, and a flow that ends in silence ends nowhere", () => {
  expect(linksOf(flow(1, [2], [0], [0, 0], [5], [0], [0]))).toEqual(["1>2/1*1", "2>5/3*1+2+1", "5>*/2*1+1"]);
});

test("of several routers at one TTL the most frequent leads on; each probe is in one link", () => {
  expect(linksOf(flow(1, [2], [3, 4, 4, 0], [9]))).toEqual(["1>2/1*1", "2>4/1*3", "2>3/1*1", "4>9/1*1"]);
});

test("a router that answers a probe twice is not more frequent, and no probe is silent less", () => {
  const { replies, ...rest } = flow(1, [2], [3, 4, 4, 0, 0], [9]);
  const copies = replies.flatMap((one) => (one.reply_src_addr.endsWith(".3") ? [one, one, one] : [one]));
  const links = graphOf({ ...place, flows: [{ ...rest, replies: copies }] }).links;
  const silent = links.flatMap(({ sets }) => sets.flat()).filter(({ reply }) => reply === null);
  expect(silent).toHaveLength(2);
});

test("what was sent beyond the destination is not in the graph", () => {
  expect(linksOf(flow(1, [2], [9], [9], [0]))).toEqual(["1>2/1*1", "2>9/1*1"]);
});

test("without an answer there are the source and silence", () => {
  expect(graphOf({ ...place, flows: [flow(1, [0], [0])] }).nodes).toEqual([{ address: "0.0.0.0" }]);
  expect(linksOf(flow(1, [0], [0]))).toEqual(["0>*/2*1+1"]);
});
