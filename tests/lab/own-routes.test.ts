/**
 * A host with equal routes of its own, and rules: each flow of a trace takes the way that the kernel gives its source,
 * protocol and ports. iproute2 is the judge.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { multipath } from "./multipath.ts";
import { ipBatch, run } from "./namespaces.ts";
import { identity, linkEnds, nodeNamed } from "./routing.ts";

/** A router, so its routes to both targets are equal ones, by m1 and m2. */
const host = "gate";
const ways = ["m1", "m2"];
const topology = multipath(1);
const firstPort = 24_000;
const flows = 16;

const places = {
  v4: {
    target: "198.18.0.77",
    far: "198.18.2.0/23",
    farTarget: "198.18.2.5",
    network: "198.18.0.0/23",
    other: "10.77.0.1/32",
    flag: "-4",
  },
  v6: {
    target: "2001:db8:1800::77",
    far: "2001:db8:1802::/63",
    farTarget: "2001:db8:1802::5",
    network: "2001:db8:1800::/63",
    other: "2001:db8:77::1/128",
    flag: "-6",
  },
} as const;
const families = ["v4", "v6"] as const;
type Family = (typeof families)[number];

interface Traced {
  readonly source: string;
  readonly reached: boolean;
  readonly failures: readonly string[];
  readonly hops: readonly {
    readonly ttl: number;
    readonly routers: readonly { readonly address: string | null; readonly flows: readonly number[] }[];
  }[];
}

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(topology);
  const namespace = net.namespaceOf(host);
  for (const family of families) {
    const { network, other, flag } = places[family];
    const second = linkEnds(topology, host).find(({ peerName }) => peerName === "m2");
    const nodad = family === "v6" ? " nodad" : "";
    await ipBatch([`addr add ${other} dev lo${nodad}`], flag, "-n", namespace);
    await ipBatch(
      [
        `route add ${network} via ${second?.peer[family]} dev ${second?.interfaceName} table 300`,
        `rule add from ${other} lookup 300 pref 100`,
      ],
      flag,
      "-n",
      namespace,
    );
    // Answers come back by both ways.
    for (const name of ways) {
      const [back] = linkEnds(topology, name).filter(({ peerName }) => peerName === host);
      await ipBatch(
        [`route add ${other} via ${back?.peer[family]} src ${identity(nodeNamed(topology, name))[family]}`],
        flag,
        "-n",
        net.namespaceOf(name),
      );
    }
  }
  await routesToOther();
});
afterAll(() => net.stop());

/** The other address has no node, so the drawing routes nothing to it. */
async function routesToOther(): Promise<void> {
  const behind = topology.nodes.filter(
    ({ name, role }) => role !== "vantage" && ![host, ...ways].includes(name),
  );
  for (const family of families) {
    const { other, flag } = places[family];
    const own = identity(nodeNamed(topology, host))[family];
    for (const { name } of behind) {
      const { stdout } = await runToEnd(net.at(name, ["ip", flag, "-j", "route", "get", own]));
      const [{ gateway, dev }] = JSON.parse(stdout);
      await ipBatch(
        [`route add ${other} via ${gateway} dev ${dev} src ${identity(nodeNamed(topology, name))[family]}`],
        flag,
        "-n",
        net.namespaceOf(name),
      );
    }
  }
}

async function trace(family: Family, ...args: string[]): Promise<Traced> {
  const command = [
    "trace",
    places[family].target,
    "-o",
    "ndjson",
    "-q",
    "1",
    "--src-port",
    String(firstPort),
  ];
  const all = [...command, "--flows", String(flows), ...args];
  const { stdout, stderr } = await runToEnd(net.at(host, [...vantageCommand, ...all]));
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** Flow -> the router that answered it first. */
function firstHops({ hops }: Traced): Map<number, string | null> {
  const routers = hops.find(({ ttl }) => ttl === 1)?.routers ?? [];
  return new Map(routers.flatMap(({ address, flows }) => flows.map((flow) => [flow, address] as const)));
}

/** What the kernel does with each flow of a socket, by iproute2: IPv6 keeps the route that gave the source. */
async function kernelsWays(family: Family, protocol: "udp" | "tcp", dstPort: number, source: string) {
  const { target, flag } = places[family];
  const found = new Map<number, string | null>();
  for (let flow = 0; flow < flows; flow++) {
    const ports = ["sport", String(firstPort + flow), "dport", String(dstPort)];
    const from = family === "v4" ? ["from", source] : [];
    const query = ["ip", flag, "-j", "route", "get", target, ...from, "ipproto", protocol, ...ports];
    const [{ gateway }] = JSON.parse(await run(net.at(host, query)));
    const way = linkEnds(topology, host).find(({ peer }) => peer[family] === gateway)?.peerName ?? "";
    found.set(flow, identity(nodeNamed(topology, way))[family]);
  }
  return found;
}

const bySlot = (ways: Map<number, string | null>) => [...ways].sort(([a], [b]) => a - b);

describe.each(families)("%s", (family) => {
  test.each([
    ["udp", 33_434],
    ["tcp", 80],
  ] as const)(
    "%s: each flow leaves by the kernel's choice for its ports, and branches appear",
    async (protocol, dstPort) => {
      const traced = await trace(family, "-p", protocol);
      // By UDP over IPv6 the target answers from its own address, not from the one that was probed.
      const reached = family === "v4" || protocol === "tcp";
      const expected = await kernelsWays(family, protocol, dstPort, traced.source);
      expect(bySlot(firstHops(traced))).toEqual(bySlot(expected));
      expect(new Set(expected.values()).size).toBe(2);
      expect({ reached: traced.reached, failures: traced.failures }).toEqual({ reached, failures: [] });
    },
  );

  test("icmp: flows have no ports, so all take one way", async () => {
    const traced = await trace(family, "-p", "icmp");
    expect(new Set(firstHops(traced).values()).size).toBe(1);
    expect(traced.reached).toBe(true);
  });

  test("-s: a rule for the source wins over the equal routes, and answers are received by any interface", async () => {
    const [other = ""] = places[family].other.split("/");
    const traced = await trace(family, "-s", other, "-p", "tcp");
    expect(traced.source).toBe(other);
    const m2 = identity(nodeNamed(topology, "m2"))[family];
    expect([...new Set(firstHops(traced).values())]).toEqual([m2]);
    expect({ reached: traced.reached, failures: traced.failures }).toEqual({ reached: true, failures: [] });
    const all = traced.hops.flatMap(({ routers }) => routers);
    expect(all.filter(({ address }) => address === null)).toEqual([]);
  });

  test("-s: the other table's route is used, although the main table has none by that interface", async () => {
    const { far, farTarget, other: own, flag } = places[family];
    const [other = ""] = own.split("/");
    const [first, second] = ways.map((name) =>
      linkEnds(topology, host).find(({ peerName }) => peerName === name),
    );
    const namespace = net.namespaceOf(host);
    await ipBatch(
      [
        `route replace ${far} via ${first?.peer[family]} dev ${first?.interfaceName}`,
        `route add ${far} via ${second?.peer[family]} dev ${second?.interfaceName} table 300`,
      ],
      flag,
      "-n",
      namespace,
    );
    const args = ["trace", "-p", "tcp", "-q", "1", "--flows", "4", "-s", other, farTarget, "-o", "ndjson"];
    const { stdout } = await runToEnd(net.at(host, [...vantageCommand, ...args]));
    const traced: Traced = JSON.parse(stdout);
    expect({ reached: traced.reached, failures: traced.failures }).toEqual({ reached: true, failures: [] });
    const m2 = identity(nodeNamed(topology, "m2"))[family];
    expect([...new Set(firstHops(traced).values())]).toEqual([m2]);
  });

  test("-s: what a rule refuses is not sent by another table", async () => {
    const [other = ""] = places[family].other.split("/");
    const rule = `from ${other} unreachable pref 50`;
    const namespace = net.namespaceOf(host);
    await ipBatch([`rule add ${rule}`], places[family].flag, "-n", namespace);
    const command = [...vantageCommand, "ping", "-c", "1", "-s", other, places[family].target];
    const { exitCode, stderr } = await runToEnd(net.at(host, command));
    await ipBatch([`rule del ${rule}`], places[family].flag, "-n", namespace);
    expect(stderr).toContain(`Cannot reach ${places[family].target} from ${other}: the kernel has no route`);
    expect(exitCode).toBe(1);
  });

  test("where each way has a source of its own, each flow has that of its way", async () => {
    const { far, farTarget, flag } = places[family];
    const hops = linkEnds(topology, host).filter(({ peerName }) => ways.includes(peerName));
    const nexthops = hops.map(
      ({ peer, interfaceName }) => `nexthop via ${peer[family]} dev ${interfaceName}`,
    );
    await ipBatch([`route replace ${far} ${nexthops.join(" ")}`], flag, "-n", net.namespaceOf(host));
    const args = ["trace", "-m", "1", "-q", "1", "--flows", String(flows), "-w", "1000", farTarget];
    const { stdout } = await runToEnd(net.at(host, [...vantageCommand, ...args]));
    for (const { own, interfaceName } of hops) {
      expect(stdout).toContain(`${own[family]} by ${interfaceName}`);
    }
    const { hops: found } = JSON.parse(
      (await runToEnd(net.at(host, [...vantageCommand, ...args, "-o", "ndjson"]))).stdout,
    );
    const routers = found[0].routers.map(({ address }: { address: string | null }) => address).sort();
    expect(routers).toEqual(ways.map((name) => identity(nodeNamed(topology, name))[family]).sort());
  });
});
