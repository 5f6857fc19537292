/** Probes on the wire get the answers that the simulator gives in process: each router, and no other. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InternetPlan } from "../discovery/simulator/internet-drawing.ts";
import { LevelledInternet } from "../discovery/simulator/levelled-internet.ts";
import { Internet } from "./internet.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import { simulatedHost, simulatedLab } from "./simulated.ts";

const forms = { even: 0.5, uneven: 0.2, mesh: 0.2 };
const plan: InternetPlan = {
  units: 2,
  subnetsEach: 2,
  seed: 3,
  core: { diamonds: [2, 2], forms, width: 4 },
  transit: { count: 1, diamonds: [1, 1], forms, width: 4 },
  routed: { diamonds: [1, 2], forms, width: 8 },
  tail: { diamonds: [1, 2], forms: {}, width: 2 },
};
const flows = 20;

const folder = mkdtempSync(join(tmpdir(), "vantage-simulated-"));
let net: Internet;
beforeAll(async () => {
  const file = join(folder, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  net = await Internet.start(simulatedLab(file));
});
afterAll(async () => {
  await net.stop();
  rmSync(folder, { recursive: true });
});

test.each([
  ["v4", "198.18.2.255", "10.0."],
  ["v6", "2001:db8:1800:2::ff", "2001:db8:200::"],
] as const)("%s: who answers each flow at each TTL", async (family, dst, routers) => {
  const topology = new LevelledInternet(plan);
  const probes = probeGrid({
    src: simulatedHost[family],
    dst,
    protocol: "udp",
    flows,
    ttls: [1, topology.length],
  });
  const expected = probes.flatMap(({ srcPort, ttl }) => {
    const offset = srcPort - 24_000;
    const node = topology.nodeAt(2, offset === 0 ? 255 : 255 + offset, ttl, 0);
    return node === 0 ? [] : [`${srcPort}/${ttl} ${addressOf(family, node)}`];
  });
  const { replies } = await probeFrom(net, simulatedHost.node, {
    interfaceName: simulatedHost.interfaceName,
    probes,
    repliesExpected: expected.length,
  });
  const found = replies.map(({ srcPort, ttl, from }) => `${srcPort}/${ttl} ${from}`);
  expect(found.sort()).toEqual(expected.sort());
  expect(new Set(replies.map(({ from }) => from)).size).toBeGreaterThan(12);
  expect(replies.every(({ from }) => from.startsWith(routers))).toBe(true);
});

function addressOf(family: "v4" | "v6", node: number): string {
  return family === "v4" ? `10.0.${node >> 8}.${node & 255}` : `2001:db8:200::${node.toString(16)}`;
}
