/** An agent that receives by XDP: every probe is answered, one agent has the interface, and nothing of it stays. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const count = 1000;
const link = interfaceTo("eastAccess");
const secondPort = 8081;
const lookAgainMs = 6000;

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

function configOf(index: number) {
  const own = { name: `number${index}`, instance_id: index, src_ipv4_prefix: `10.101.0.${index + 1}/32` };
  return { prober: [{ ...own, interface: link, probing_rate: 10_000, receive: "xdp" }] };
}

function campaign(agentId: string, srcIp: string) {
  const ports = Array.from({ length: count }, (_, i) => 10_000 + i);
  const probes = probesTo("203.0.113.10", { ports, ttls: [1], protocol: "udp" });
  return probeRecord(agentId, { measurementId: "m", srcIp }, probes);
}

const linkText = () => run(net.at("east", ["ip", "link", "show", link]));

test("answers come by xdp; a second agent uses pcap, and says why; a killed one leaves no program", async () => {
  await using rig = await AgentRig.open(net);
  const file = rig.configure("east", configOf(1));
  const check = await run(rig.at("east", [...vantageCommand, "agent", "check", "-c", file]));
  expect(check).toMatch(/receiving of number1 +xdp, by the driver itself/);
  const agent = await rig.start("east", "east", configOf(1));
  expect(await linkText()).toContain("xdp");
  const second = await rig.start("east", "second", configOf(2), secondPort);
  await rig.broker.publish(probesTopic, [campaign("east", "10.101.0.2"), campaign("second", "10.101.0.3")]);
  const replies = await rig.replies(2 * count, 15_000);
  for (const id of ["east", "second"]) {
    const ports = replies.flatMap(({ reply }) => (reply.agentId === id ? [reply.probeSrcPort] : []));
    expect(new Set(ports).size).toBe(count);
  }
  expect(replies.every(({ reply }) => reply.rttTenthMs < 10_000)).toBe(true);
  expect(await rig.metric("east", "capture_by_xdp_total")).toBe(count);
  expect(await rig.metric("east", "capture_dropped_total")).toBe(0);
  expect(await rig.metric("east", "capture_by_xdp_total", secondPort)).toBe(0);
  const why = `by pcap, not by xdp: another program, or the agent that runs, has ${link} or one of its queues`;
  // Lines of its workers come once a second.
  while (!second.stderr().includes(`Answers on ${link} come ${why}`)) {
    await Bun.sleep(50);
  }
  // The addresses of the host are looked at again, which the system calls that are left must allow.
  await Bun.sleep(lookAgainMs);
  await rig.broker.publish(probesTopic, [campaign("east", "10.101.0.2")]);
  expect(await rig.replies(3 * count, 15_000)).toHaveLength(3 * count);
  expect(await rig.metric("east", "capture_by_xdp_total")).toBe(2 * count);
  expect(agent.stderr()).not.toContain("come by");
  agent.process.kill("SIGKILL");
  await agent.process.exited;
  expect(await linkText()).not.toContain("xdp");
  expect(await second.stop()).toBe(0);
});
