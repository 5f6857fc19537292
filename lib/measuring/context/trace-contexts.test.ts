import { expect, test } from "bun:test";
import { ribDump } from "../../../tests/contract/context/mrt-dump.ts";
import { setOf } from "../../../tests/contract/context/set-of.ts";
import { address } from "../../net/ip/address.ts";
import { parsePrefix } from "../../net/ip/prefix.ts";
import { TraceContexts } from "./trace-contexts.ts";
import { formatTracedAsPath } from "./traced-as-path.ts";
import type { TracedHops } from "./traced-hops.ts";

/** 10.N.0.0/16 is of AS N; 1 sells to 2, 3 and 4, 2 sells to 5; 2 and 3 are peers, and members of exchange 26. */
const origins = Array.from({ length: 9 }, (_, i) => `10.${i + 1}.0.0/16\t${i + 1}\n`).join("");
const relationships = "# serial-1\n1|2|-1\n1|3|-1\n1|4|-1\n2|5|-1\n2|3|0\n";
const exchange = JSON.stringify({
  ix: { data: [{ id: 26, name: "EX-IX", city: "Oslo", country: "NO" }] },
  ixlan: { data: [{ id: 99, ix_id: 26 }] },
  ixpfx: { data: [{ ixlan_id: 99, protocol: "IPv4", prefix: "198.51.100.0/24" }] },
  netixlan: {
    data: [
      { ixlan_id: 99, ix_id: 26, asn: 2, ipaddr4: "198.51.100.2", ipaddr6: null },
      { ixlan_id: 99, ix_id: 26, asn: 3, ipaddr4: "198.51.100.3", ipaddr6: null },
    ],
  },
});

/** Hops as `10.1.0.1`, or `*`; the destination first. */
function traced(destination: string, ...hops: readonly string[]): TracedHops {
  return {
    destination: address(destination),
    hops: hops.map((hop) => (hop === "*" ? null : address(hop))),
  };
}

async function learnt(traces: readonly TracedHops[], ...files: readonly (string | Uint8Array)[]) {
  const contexts = new TraceContexts(await setOf([origins, ...files]));
  for (const trace of traces) {
    contexts.learn(trace);
  }
  return contexts;
}

/** Owners of the last trace's hops. */
async function owners(traces: readonly TracedHops[], ...files: readonly string[]) {
  const contexts = await learnt(traces, ...files);
  const last = traces.at(-1) ?? traced("10.1.0.1");
  return contexts.of(last).hops.map((hop) => hop?.ownerAsn ?? null);
}

async function pathOf(trace: TracedHops): Promise<string> {
  return formatTracedAsPath((await learnt([trace], exchange)).of(trace).asPath);
}

test("a customer's border answers with its provider's address: the customer owns it", async () => {
  const trace = traced("10.2.9.9", "10.1.0.1", "10.1.0.2", "10.2.0.1", "10.2.9.9");
  const contexts = await learnt([trace], relationships);
  const hops = contexts.of(trace).hops.map((hop) => [hop?.asn, hop?.ownerAsn]);
  expect(hops).toEqual([
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 2],
  ]);
});

test("a provider's router that several customers lie behind stays the provider's", async () => {
  const traces = [
    traced("10.2.9.9", "10.1.0.2", "10.2.0.1"),
    traced("10.3.9.9", "10.1.0.2", "10.3.0.1"),
    traced("10.1.9.9", "10.1.0.2", "10.1.0.7"),
  ];
  expect(await owners(traces, relationships)).toEqual([1, 1]);
});

test("votes that are even go to the smaller customer cone", async () => {
  const traces = [
    traced("10.4.9.9", "10.1.0.2", "10.4.0.1"),
    traced("10.5.9.9", "10.1.0.2", "10.2.0.1", "10.5.0.1"),
  ];
  // Cones: AS 1 has five, AS 2 two, AS 4 one.
  expect((await owners([...traces, traced("10.4.9.9", "10.1.0.2")], relationships)).at(0)).toBe(4);
});

test("a provider or peer behind an address never owns it", async () => {
  const up = [traced("10.1.9.9", "10.2.0.1", "10.1.0.1", "10.1.9.9")];
  expect(await owners(up, relationships)).toEqual([2, 1, 1]);
  const across = [traced("10.3.9.9", "10.2.0.1", "10.3.0.1", "10.3.9.9")];
  expect(await owners(across, relationships)).toEqual([2, 3, 3]);
});

test("without relationships, only the AS that all traces go to can be the owner", async () => {
  const toTwo = traced("10.2.9.9", "10.1.0.2", "10.2.0.1");
  expect(await owners([toTwo])).toEqual([2, 2]);
  const beyond = traced("10.5.9.9", "10.1.0.2", "10.2.0.1", "10.5.0.1");
  expect(await owners([toTwo, beyond])).toEqual([1, 2, 5]);
});

/** From a customer by the link 10.2.0.1 (at AS 1) – 10.2.0.2, whose addresses are the customer's. */
const out = [traced("10.1.9.9", "10.2.0.1", "10.1.0.6"), traced("10.1.8.8", "10.2.0.1", "10.1.0.13")];

test("both ends of links tell that two addresses are of one router, which then vote together", async () => {
  const inward = traced("10.2.9.9", "10.1.0.5", "10.2.0.2", "10.2.9.9");
  expect(await owners([inward, ...out], relationships)).toEqual([1, 1]);
});

test("one link alone tells nothing, as some routers answer from a third interface", async () => {
  const inward = traced("10.2.9.9", "10.1.0.9", "10.2.0.2", "10.2.9.9");
  expect(await owners([inward, ...out], relationships)).toEqual([2, 1]);
});

test("the other address of a router on the LAN of an exchange says whose both are", async () => {
  // 10.5.0.1 – 10.5.0.2 is a link inside AS 2, with addresses of AS 5.
  const traces = [
    traced("10.2.9.9", "10.3.0.1", "198.51.100.2", "10.5.0.2"),
    traced("10.3.9.9", "10.5.0.1", "198.51.100.3"),
  ];
  expect(await owners(traces, relationships)).toEqual([5, null]);
  expect(await owners(traces, relationships, exchange)).toEqual([2, 3]);
});

test("where traces end, the owner is the customer or peer that they all go to", async () => {
  const end = traced("10.2.9.9", "10.1.0.1", "10.1.0.2", "*");
  expect(await owners([end], relationships)).toEqual([1, 2, null]);
  expect(await owners([end])).toEqual([1, 1, null]);
  const elsewhere = traced("10.3.9.9", "10.1.0.2", "*");
  expect(await owners([elsewhere, end], relationships)).toEqual([1, 1, null]);
  const answered = traced("10.2.9.9", "10.1.0.1", "10.1.0.2", "*", "10.2.9.9");
  expect(await owners([answered], relationships)).toEqual([1, 1, null, 2]);
});

test("an address that nobody announces is of the AS behind it, a private one of nobody", async () => {
  const trace = traced("10.2.9.9", "192.168.0.1", "9.9.9.1", "9.9.9.2", "10.2.0.1");
  expect(await owners([trace], relationships)).toEqual([null, 2, 2, 2]);
});

test("a member owns its address at an exchange, whatever is behind it; unknown ones go to members only", async () => {
  const known = traced("10.9.9.9", "10.2.0.1", "198.51.100.3", "10.9.0.1");
  expect(await owners([known], relationships, exchange)).toEqual([2, 3, 9]);
  const unknown = traced("10.9.9.9", "10.2.0.1", "198.51.100.7", "10.9.0.1");
  expect(await owners([unknown], relationships, exchange)).toEqual([2, null, 9]);
  const member = traced("10.3.9.9", "10.2.0.1", "198.51.100.7", "10.3.0.1");
  expect(await owners([member], relationships, exchange)).toEqual([2, 3, 3]);
});

test.each([
  ["strong", "10.2.0.1", "198.51.100.3", "10.3.0.1"],
  ["medium", "10.2.0.1", "198.51.100.7", "10.3.0.1"],
  ["weak", "10.9.0.1", "198.51.100.3", "10.3.0.1"],
  ["medium", "10.2.0.1", "198.51.100.3", "*"],
  ["medium", "10.2.0.1", "198.51.100.3", "10.9.0.1"],
  ["weak", "*", "198.51.100.3", "10.3.0.1"],
])("a %s crossing: %s, %s, %s", async (level, before, at, behind) => {
  const trace = traced("10.3.9.9", before, at, behind);
  const crossing = (await learnt([trace], relationships, exchange)).of(trace).hops[1]?.crossing;
  expect(crossing).toMatchObject({ level, toAsn: 3, exchange: { id: 26 } });
});

test.each([
  ["1 2", ["192.168.0.1", "10.1.0.1", "10.1.0.2", "*", "10.1.0.3", "10.2.0.1", "*"]],
  ["1 ? 2", ["10.1.0.1", "*", "192.168.0.1", "10.2.0.1"]],
  ["1 2 1 2", ["10.1.0.1", "10.2.0.1", "10.1.0.2", "10.2.0.1"]],
  ["2 [EX-IX] 3", ["10.2.0.1", "198.51.100.3", "10.3.0.1"]],
  ["2 [EX-IX]", ["10.2.0.1", "198.51.100.9"]],
])("the AS path %s", async (text, hops) => {
  expect(await pathOf(traced("10.9.9.9", ...hops))).toBe(text);
});

/** Peers of a collector and their paths to 10.4.0.0/16, prepends included. */
const paths = [
  [7, 1, 4],
  [2, 1, 4, 4],
  [8, 2, 1, 4],
  [9, 3, 4],
];
const prefix = parsePrefix("10.4.0.0/16");
const dump = ribDump(
  4,
  prefix === null
    ? []
    : [{ prefix, paths: paths.map((path, peer) => ({ peer, segments: [[2, path]] as const })) }],
);

test("the path in BGP goes where most peers come through", async () => {
  const contexts = await learnt([], dump);
  expect(contexts.set.asPathTo(address("10.4.0.1"))).toEqual([8, 2, 1, 4]);
  expect(contexts.set.asPathTo(address("10.5.0.1"))).toBeNull();
});

test.each([
  ["equal", ["10.2.0.1", "10.1.0.1", "10.4.0.1"]],
  ["equal", ["10.6.0.1", "10.2.0.1", "10.1.0.1"]],
  ["equal", ["10.2.0.1", "*", "10.4.0.1"]],
  ["extra", ["10.2.0.1", "10.6.0.1", "10.1.0.1", "10.4.0.1"]],
  ["missing", ["10.2.0.1", "10.4.0.1"]],
  ["different", ["10.2.0.1", "10.3.0.1", "10.4.0.1"]],
  ["different", ["10.1.0.1", "10.2.0.1"]],
  ["different", ["10.5.0.1", "10.6.0.1"]],
])("beside it a trace is %s: %j", async (kind, hops) => {
  const trace = traced("10.4.0.1", ...hops);
  expect((await learnt([], dump)).of(trace).difference?.kind).toBe(kind as "equal");
});

test("what differs is named, and nothing is compared without a path", async () => {
  const contexts = await learnt([], dump);
  expect(contexts.of(traced("10.4.0.1", "10.8.0.1", "10.3.0.1", "10.4.0.1")).difference).toEqual({
    ...{ kind: "different", fromAsn: 8, extraAsns: [3], missingAsns: [2, 1] },
  });
  expect(contexts.of(traced("10.5.0.1", "10.1.0.1")).difference).toBeNull();
  expect(contexts.of(traced("10.4.0.1", "*")).difference).toBeNull();
});
