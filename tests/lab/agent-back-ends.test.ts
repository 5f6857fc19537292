/** An agent that sends by AF_XDP: every probe leaves and is answered; who finds all queues taken sends by packet. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo, type RunningAgent } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const probesOfEach = 1000;
const link = interfaceTo("eastAccess");

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const sourceOf = (index: number) => `10.101.0.${index + 1}`;

function prober(index: number) {
  const src = `${sourceOf(index)}/32`;
  const own = { name: `number${index}`, instance_id: index, src_ipv4_prefix: src };
  return { ...own, interface: link, probing_rate: 10_000, back_end: "xdp" };
}

function campaign(index: number) {
  const ports = Array.from({ length: probesOfEach }, (_, i) => 10_000 + index * probesOfEach + i);
  const probes = probesTo("203.0.113.10", { ports, ttls: [1], protocol: "icmp" });
  return probeRecord("east", { measurementId: "m", srcIp: sourceOf(index) }, probes);
}

function said(agent: RunningAgent): string {
  return /Instance .* sends by packet.*\n/.exec(agent.stderr())?.[0] ?? "";
}

test("xdp has each queue for one instance, the next one sends by packet, and all is answered", async () => {
  const queues =
    (await run(net.at("east", ["ls", `/sys/class/net/${link}/queues`]))).match(/tx-/g)?.length ?? 0;
  const indices = Array.from({ length: queues + 1 }, (_, i) => i);
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", { prober: indices.map(prober) });
  await rig.broker.publish(probesTopic, indices.map(campaign));
  const all = indices.length * probesOfEach;
  const replies = await rig.replies(all, 15_000);
  expect(new Set(replies.map(({ reply }) => reply.probeSrcPort)).size).toBe(all);
  expect(await rig.metric("east", "sender_sent_total")).toBe(all);
  // Lines of its workers come once a second.
  while (!said(agent).includes("\n")) {
    await Bun.sleep(50);
  }
  const why = `every transmit queue of ${link} has an AF_XDP socket already`;
  expect(said(agent)).toBe(`Instance number${queues} sends by packet, not by xdp: ${why}\n`);
  expect(await agent.stop()).toBe(0);
});

test("xdp sends sizes of both families, and names the size that it cannot send", async () => {
  await using rig = await AgentRig.open(net);
  const own = { name: "sized", instance_id: 1, interface: link, probing_rate: 10_000, back_end: "xdp" };
  const prefixes = { src_ipv4_prefix: "10.101.0.0/24", src_ipv6_prefix: "2001:db8:e000::/48" };
  const agent = await rig.start("east", "east", { prober: [{ ...own, ...prefixes }] });
  const record = (dst: string, srcIp: string, sizeBytes: number) => {
    const ports = Array.from({ length: probesOfEach / 2 }, (_, i) => 10_000 + i);
    const probes = probesTo(dst, { ports, ttls: [1], protocol: "udp" });
    return probeRecord(
      "east",
      { measurementId: "m", srcIp, shape: { sizeBytes, dontFragment: true } },
      probes,
    );
  };
  const families = [
    ["203.0.113.10", "10.101.0.9"],
    ["2001:db8:cb::10", "2001:db8:e000::9"],
  ] as const;
  await rig.broker.publish(
    probesTopic,
    families.map(([dst, src]) => record(dst, src, 1400)),
  );
  const replies = await rig.replies(probesOfEach, 15_000);
  // The router quotes their lengths: without the IP header over IPv6.
  const sizes = Map.groupBy(replies, ({ reply }) => reply.probeSize);
  expect([...sizes].map(([size, { length }]) => [size, length]).sort()).toEqual([
    [1360, probesOfEach / 2],
    [1400, probesOfEach / 2],
  ]);
  await rig.broker.publish(
    probesTopic,
    families.map(([dst, src]) => record(dst, src, 1501)),
  );
  while ((await rig.metric("east", "sender_failed_total")) < probesOfEach) {
    await Bun.sleep(50);
  }
  expect(await rig.metric("east", "sender_sent_total")).toBe(probesOfEach);
  while (!agent.stderr().includes("with a size")) {
    await Bun.sleep(50);
  }
  expect(agent.stderr()).toContain(
    "the back end xdp sends no frame with a size of more than 1514 bytes here",
  );
  expect(await agent.stop()).toBe(0);
});
