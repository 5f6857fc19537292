/** Two agents that share prefixes: each hears the answers to the other's probes where routing brings them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, type Heard, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { targetAddress } from "./responder/scenario.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** Both announce both prefixes; the lab's routers bring the first to east and the second to west. */
const caughtByEast = { src_ipv4_prefix: "10.101.0.0/24", src_ipv6_prefix: "2001:db8:e000::/48" };
const caughtByWest = { src_ipv4_prefix: "10.102.0.0/24", src_ipv6_prefix: "2001:db8:f000::/48" };

function configOf(access: string, peers: readonly string[]) {
  const shared = { interface: interfaceTo(access), probing_rate: 1000, integrity_check: true };
  return {
    agent: { integrity_key: "of the whole anycast group", anycast_peers: peers },
    prober: [
      { name: "first", instance_id: 1, ...shared, ...caughtByEast },
      { name: "second", instance_id: 2, ...shared, ...caughtByWest },
    ],
  };
}

const kindOf = ({ headers, reply }: Heard): string =>
  [
    `${headers.agent} heard ${headers.probe_agent}:${headers.probe_instance}`,
    headers.measurement_id ?? "no measurement",
    reply.rttTenthMs === 65_535 ? "no RTT" : "RTT",
  ].join(", ");

test.each(["v4", "v6"] as const)(
  "%s: the site that catches an answer says whose probe it was",
  async (family) => {
    await using rig = await AgentRig.open(net);
    const east = await rig.start("east", "east", configOf("eastAccess", ["west:1", "west:2"]));
    const west = await rig.start("west", "west", configOf("westAccess", ["east:1", "east:2"]));
    const probes = probesTo(targetAddress(10)[family], { ports: [24_000, 24_001, 24_002], ttls: [3, 30] });
    const inFirst = { v4: "10.101.0.9", v6: "2001:db8:e000::9" }[family];
    const inSecond = { v4: "10.102.0.9", v6: "2001:db8:f000::9" }[family];
    await rig.broker.publish(probesTopic, [
      probeRecord("east", { measurementId: "from-east", srcIp: inFirst }, probes),
      probeRecord("east", { measurementId: "from-east", srcIp: inSecond }, probes),
      probeRecord("west", { measurementId: "from-west", srcIp: inFirst }, probes),
      probeRecord("west", { measurementId: "from-west", srcIp: inSecond }, probes),
    ]);
    const kinds = Map.groupBy(await rig.replies(24), kindOf);
    expect(Object.fromEntries([...kinds].map(([kind, heard]) => [kind, heard.length]))).toEqual({
      "east heard east:1, from-east, RTT": 6,
      "east heard west:1, no measurement, no RTT": 6,
      "west heard east:2, no measurement, no RTT": 6,
      "west heard west:2, from-west, RTT": 6,
    });
    expect(await rig.metric("east", "reply_of_peer_total")).toBe(6);
    expect(await Promise.all([east.stop(), west.stop()])).toEqual([0, 0]);
  },
);

test("TCP of another site, which only that site remembers, is dropped and counted", async () => {
  await using rig = await AgentRig.open(net);
  await rig.start("east", "east", configOf("eastAccess", ["west:1", "west:2"]));
  await rig.start("west", "west", configOf("westAccess", ["east:1", "east:2"]));
  const options = { ports: [24_000, 24_001], ttls: [3, 30], protocol: "tcp" } as const;
  const probes = ["v4", "v6"].flatMap((family) => probesTo(targetAddress(10)[family as "v4"], options));
  await rig.broker.publish(probesTopic, [
    probeRecord("west", { measurementId: "to-east", srcIp: "10.101.0.9" }, probes.slice(0, 4)),
    probeRecord("west", { measurementId: "to-east", srcIp: "2001:db8:e000::9" }, probes.slice(4)),
    probeRecord("west", { measurementId: "own", srcIp: "10.102.0.9" }, probes.slice(0, 4)),
    probeRecord("west", { measurementId: "own", srcIp: "2001:db8:f000::9" }, probes.slice(4)),
  ]);
  while ((await rig.metric("east", "reply_tcp_unproven_total")) < 8) {
    await Bun.sleep(50);
  }
  const kinds = new Set((await rig.replies(9, 500)).map(kindOf));
  expect([...kinds]).toEqual(["west heard west:2, own, RTT"]);
});

test("without the peer in its configuration, an agent refuses the other's answers", async () => {
  await using rig = await AgentRig.open(net);
  await rig.start("east", "east", configOf("eastAccess", []));
  await rig.start("west", "west", configOf("westAccess", []));
  const probes = probesTo(targetAddress(10).v6, { ports: [24_000, 24_001], ttls: [30] });
  await rig.broker.publish(probesTopic, [probeRecord("west", { srcIp: "2001:db8:e000::9" }, probes)]);
  while ((await rig.metric("east", "reply_mismatch_total")) < 2) {
    await Bun.sleep(50);
  }
  expect(await rig.replies(1, 500)).toEqual([]);
});
