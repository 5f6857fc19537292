/** The agent between a broker and the Internet of the lab: what goes in, what comes out, and whose it is. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatAddress } from "../../lib/net/ip/address.ts";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { targetAddress } from "./responder/scenario.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const eastProber = {
  name: "unicast",
  instance_id: 2,
  interface: interfaceTo("eastAccess"),
  src_ipv4_prefix: "10.101.0.0/24",
  src_ipv6_prefix: "2001:db8:e000::/48",
  probing_rate: 2000,
};
const { v4, v6 } = targetAddress(10);

test("probes of the broker are sent, and their replies come back under the measurement that asked", async () => {
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", { prober: [eastProber] });
  // The same probes from the same source, in two measurements at the same time.
  const probes = [
    ...probesTo(v4, { ports: [24_000, 24_001], ttls: [1, 2, 3] }),
    ...probesTo(v6, { ports: [24_000], ttls: [1, 2] }),
  ];
  await rig.broker.publish(probesTopic, [
    probeRecord("east", { measurementId: "one", endOfMeasurement: true }, probes),
    probeRecord("east", { measurementId: "two", endOfMeasurement: true }, probes),
    probeRecord("west", { measurementId: "other" }, probes),
  ]);
  const heard = await rig.replies(16);
  const countOf = (id: string) => heard.filter(({ headers }) => headers.measurement_id === id).length;
  expect([heard.length, countOf("one"), countOf("two")]).toEqual([16, 8, 8]);
  for (const { reply, headers } of heard) {
    expect(headers).toMatchObject({ agent: "east", probe_agent: "east", probe_instance: "2" });
    expect(reply.agentId).toBe("east");
    expect(["10.101.0.1", "2001:db8:e000::1"]).toContain(formatAddress(reply.probeSrcAddr));
    expect(reply.rttTenthMs).toBeLessThan(65_535);
  }
  expect(JSON.parse(await rig.get("east", "/health"))).toEqual({ status: "ok", reasons: [], holds: [] });
  expect(await rig.metric("east", "sender_sent_total")).toBe(16);
  expect(await rig.metric("east", "records_foreign_total")).toBe(1);
  expect(await agent.stop()).toBe(0);
  // As whom it runs, and nothing else.
  expect(agent.stderr().split("\n")).toEqual([expect.stringContaining("The agent stays root: "), ""]);
  const positions = await rig.broker.positions("vantage-agent-east", probesTopic);
  expect(positions.map(({ committed, end }) => end - committed)).toEqual(positions.map(() => 0n));
});
