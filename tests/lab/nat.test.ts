/**
 * A trace, and the engine of an agent, behind a NAT of nftables: one with connection tracking, which gives quotes back
 * as they were sent; and a stateless one that translates packets both ways, but not what errors quote.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rewrittenBits } from "../../lib/net/packet/reply.ts";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { statelessNat } from "./packet-rules.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import { identity, interfaceTo, nodeNamed } from "./routing.ts";
import type { Topology } from "./topology.ts";

/** r1 is the NAT. */
const topology: Topology = {
  nodes: [
    { name: "source", role: "vantage", id: 101 },
    ...[1, 2, 3].map((id) => ({ name: `r${id}`, role: "router" as const, id })),
    { name: "host", role: "target", id: 4, openTcpPort: 80 },
  ],
  links: [
    { a: "r1", b: "source", prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    { a: "r1", b: "r2" },
    { a: "r2", b: "r3" },
    { a: "r3", b: "host" },
  ],
};
const own = { v4: "192.0.2.2", v6: "2001:db8:e::2" };
const outside = identity(nodeNamed(topology, "r1"));
const target = identity(nodeNamed(topology, "host"));
const out = interfaceTo("r2");

/** As masquerade, to the address that all routers know. */
const tracked = (flags: string) => `
table inet nat {
  chain out {
    type nat hook postrouting priority 100;
    oifname "${out}" snat ip to ${outside.v4} ${flags}
    oifname "${out}" snat ip6 to ${outside.v6} ${flags}
  }
}
`;
const stateless = statelessNat({ out, own, outside });

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(topology);
});
afterAll(() => net.stop());

const cases = (["v4", "v6"] as const).flatMap((family) =>
  (["udp", "icmp", "tcp"] as const).map((protocol) => [family, protocol] as const),
);

async function trace(family: "v4" | "v6", protocol: string, ...args: string[]): Promise<string> {
  const common = ["trace", "--flows", "1", "-q", "1", "-w", "1s", "-p", protocol, ...args, target[family]];
  const { stdout, stderr } = await runToEnd(net.at("source", [...vantageCommand, ...common]));
  expect(stderr).toBe("");
  return stdout;
}

/** By the agent's engine, which keeps only what it can prove: what comes back from each TTL. */
async function seenByAgent(family: "v4" | "v6", protocol: "udp" | "icmp" | "tcp") {
  const kind = protocol === "icmp" && family === "v6" ? "icmpv6" : protocol;
  const grid = { src: own[family], dst: target[family], flows: 1, ttls: [1, 4] as const };
  const outcome = await probeFrom(net, "source", {
    probes: probeGrid({ ...grid, protocol: kind }),
    interfaceName: interfaceTo("r1"),
    sources: [`${own.v4}/32`, `${own.v6}/128`],
    repliesExpected: 4,
    waitMs: 5000,
  });
  expect(outcome.repliesTotal).toBe(4);
  expect(outcome.replies.every(({ verdict }) => verdict === "match")).toBe(true);
  return outcome.replies.toSorted((a, b) => a.ttl - b.ttl).map(({ rewritten }) => rewritten);
}

describe.each([
  ["a NAT with connection tracking", tracked("")],
  ["the same, each flow by a random port", tracked("fully-random")],
])("%s", (_, rules) => {
  beforeAll(() => run(net.at("r1", ["nft", "-f", "-"]), rules));
  afterAll(() => run(net.at("r1", ["nft", "delete", "table", "inet", "nat"])));

  test.each(cases)(
    "%s %s: every hop answers, as quotes come back as they were sent",
    async (family, protocol) => {
      const { reached, hops } = JSON.parse(await trace(family, protocol, "-o", "ndjson"));
      expect(reached).toBe(true);
      expect(hops.map((hop: { routers: { address: string }[] }) => hop.routers[0]?.address)).toEqual(
        ["r1", "r2", "r3", "host"].map((name) => identity(nodeNamed(topology, name))[family]),
      );
      expect(await seenByAgent(family, protocol)).toEqual([0, 0, 0, 0]);
    },
  );
});

describe("a NAT that leaves quotes as they are", () => {
  beforeAll(() => run(net.at("r1", ["nft", "-f", "-"]), stateless));
  afterAll(() => run(net.at("r1", ["nft", "delete", "table", "inet", "nat"])));

  test.each(cases)("%s %s: it is found from hop 2 on, with its address", async (family, protocol) => {
    const { source, checksum } = rewrittenBits;
    // IPv4 ICMP is the one checksum that covers no address.
    const bits = protocol === "icmp" && family === "v4" ? source : source | checksum;
    const atTarget = protocol === "udp" ? bits : 0;
    expect(await seenByAgent(family, protocol)).toEqual([0, bits, bits, atTarget]);
    const { reached, hops } = JSON.parse(await trace(family, protocol, "-o", "ndjson"));
    expect(reached).toBe(true);
    const [first, second] = hops.map((hop: { routers: object[] }) => hop.routers[0]);
    expect(first).toMatchObject({ rewritten: [], quoted_sources: [] });
    expect(second).toMatchObject({ quoted_sources: [outside[family]] });
    const lines = (await trace(family, protocol)).split("\n").filter((line) => line.includes("NAT"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^ *2 .*behind a NAT: source /);
  });
});
