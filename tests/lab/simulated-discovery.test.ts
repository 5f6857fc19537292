/**
 * Discoveries of simulated networks on the wire, by a real agent, broker, store and gateway: routers lose answers, and
 * limit them, and all links are found, and no other.
 *
 * @tier long: tests/lab/discovery.test.ts discovers by the same real parts; tests/discovery has lost answers
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LevelledInternet } from "../discovery/simulator/levelled-internet.ts";
import { linksOf, nodesMax } from "../discovery/simulator/topology.ts";
import type { PlanFile } from "../discovery/simulator/topology-file.ts";
import { DiscoveryStage } from "./discovery-stage.ts";
import { Internet } from "./internet.ts";
import { simulatedHost, simulatedLab } from "./simulated.ts";

const forms = { even: 0.5, uneven: 0.1, mesh: 0.2 };
const plan: PlanFile = {
  ...{ units: 2, subnetsEach: 4, seed: 5 },
  core: { diamonds: [1, 2], forms, width: 4 },
  transit: { count: 1, diamonds: [1, 1], forms, width: 4 },
  routed: { diamonds: [1, 1], forms, width: 4 },
  tail: { diamonds: [1, 1], forms: {}, width: 2 },
  // A tenth of the routers answers 50 probes a second, 20 at once.
  conditions: { loss: 0.05, limited: { share: 0.1, perSec: 50, burst: 20 } },
};

const folder = mkdtempSync(join(tmpdir(), "vantage-simulated-"));
const stack = new AsyncDisposableStack();
let stage: DiscoveryStage;
beforeAll(async () => {
  const file = join(folder, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  const net = stack.use(await Internet.start(simulatedLab(file)));
  stage = stack.use(await DiscoveryStage.open(net, [simulatedHost]));
});
afterAll(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true });
});

test("lost and limited answers hide no link, and make none up", async () => {
  const topology = new LevelledInternet(plan);
  const expected = [...linksOf(topology)].map((link) => {
    const [near, far] = [Math.floor(link / nodesMax), link % nodesMax];
    return `${addressOf(near)}>${addressOf(far)}`;
  });
  await stage.begin({
    name: "lossy",
    agents: [simulatedHost.node],
    targets: ["198.18.0.0/22", "198.18.4.0/22"],
    more: ["--ttl", "1-16"],
  });
  const ended = await stage.over("lossy");
  expect(ended).toMatchObject({ run_state: "done", reason: null });
  const found = await stage.links("lossy", (address) => address.startsWith("198.18."));
  const between = [...found].filter((link) => !link.includes("null"));
  expect(expected.length).toBeGreaterThan(25);
  expect(between.sort()).toEqual(expected.sort());
  // Without lost answers it takes so many.
  expect(ended.probes_sent).toBeGreaterThan(847);
});

function addressOf(node: number): string {
  return `10.${node >> 16}.${(node >> 8) & 255}.${node & 255}`;
}
