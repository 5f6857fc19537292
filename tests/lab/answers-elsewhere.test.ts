/**
 * Answers from another address than the probed one: a router that is pinged by the anycast address of its subnet, and
 * a host that answers echoes from another of its addresses. The kernel's own ping is the judge of what comes back.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { identity, linkPlan, nodeNamed } from "./routing.ts";
import type { Link, Topology } from "./topology.ts";

const routers: Link = { a: "near", b: "far" };
const topology: Topology = {
  nodes: [
    { name: "source", role: "vantage", id: 101 },
    { name: "near", role: "router", id: 1 },
    { name: "far", role: "router", id: 2 },
    {
      name: "host",
      role: "target",
      id: 3,
      local: { v4: "203.0.113.0/28", v6: "2001:db8:cb::/64" },
    },
  ],
  links: [
    { a: "near", b: "source", prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    routers,
    { a: "far", b: "host" },
  ],
};
const families = ["v4", "v6"] as const;
/** `odd` answers echoes from `other`, which is a target as well. */
const places = {
  v4: { odd: "203.0.113.5", other: "203.0.113.9" },
  v6: { odd: "2001:db8:cb::5", other: "2001:db8:cb::9" },
} as const;

const rewriting = `
table inet odd {
  chain out {
    type filter hook postrouting priority 0;
    ip saddr ${places.v4.odd} icmp type echo-reply ip saddr set ${places.v4.other}
    ip6 saddr ${places.v6.odd} icmpv6 type echo-reply ip6 saddr set ${places.v6.other}
  }
}
`;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(topology);
  await run(net.at("host", ["nft", "-f", "-"]), rewriting);
});
afterAll(() => net.stop());

async function vantage(...args: string[]) {
  return await runToEnd(net.at("source", [...vantageCommand, ...args]));
}

describe("the anycast address of a router's subnet", () => {
  const anycast = linkPlan(topology, routers).prefix.v6.replace("/64", "");

  test("a ping of it is answered, and says from where", async () => {
    const { exitCode, stdout } = await vantage("ping", "-c", "2", anycast);
    const near = identity(nodeNamed(topology, "near")).v6;
    expect(stdout.match(new RegExp(` ms from ${near}$`, "gm"))).toHaveLength(2);
    expect(stdout).toContain("2 sent, 2 answered, 0 % lost");
    expect(exitCode).toBe(0);
  });

  test("a trace reaches it", async () => {
    const { exitCode, stdout } = await vantage("trace", "-p", "icmp", anycast);
    expect(stdout).toContain("Reached in 1 hop");
    expect(stdout).toContain(`answers for ${anycast}`);
    expect(exitCode).toBe(0);
  });
});

describe.each(families)("a host that answers from another of its addresses, %s", (family) => {
  const { odd, other } = places[family];

  test("is answered, with both addresses, while the other is pinged too", async () => {
    const { exitCode, stdout } = await vantage("ping", "-c", "2", "-o", "ndjson", odd, other);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const seen = rows.map(({ address, from, outcome }) => ({ address, from, outcome }));
    const answered = (address: string) => ({ address, from: other, outcome: "answered" });
    expect(seen.filter(({ address }) => address === odd)).toEqual([answered(odd), answered(odd)]);
    expect(seen.filter(({ address }) => address === other)).toEqual([answered(other), answered(other)]);
    expect(rows.every(({ rtt_ms }) => rtt_ms !== null && rtt_ms < 2000)).toBe(true);
    expect(exitCode).toBe(0);
  });

  test("nothing is left out as forged", async () => {
    const { stdout } = await vantage("ping", "-c", "2", "--summary", "-o", "ndjson", odd, other);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ forged, late, answered }) => ({ forged, late, answered }))).toEqual(
      [0, 1].map(() => ({ forged: 0, late: 0, answered: 2 })),
    );
  });

  test("a trace ends there", async () => {
    const { exitCode, stdout } = await vantage("trace", "-p", "icmp", "-o", "ndjson", odd);
    const { reached, hops } = JSON.parse(stdout);
    expect({ exitCode, reached, length: hops.length }).toEqual({ exitCode: 0, reached: true, length: 3 });
    expect(hops[2].routers[0].address).toBe(other);
  });

  test("for other programs, the target is the one that was probed", async () => {
    const { stdout } = await vantage("ping", "-c", "1", "-o", "atlas", odd);
    const [result] = [JSON.parse(stdout)].flat();
    expect({ target: result.dst_addr, received: result.rcvd }).toEqual({ target: odd, received: 1 });
  });
});
