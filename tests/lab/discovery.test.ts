/**
 * Discoveries of kernel routers with equal ways, by real agents, broker, store and gateway: they find the links that
 * are in the routers' own tables, and no other, though an agent and the gateway are killed in the middle.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { batchFramesMax } from "../../ffi/frame-sender.ts";
import { DiscoveryStage } from "./discovery-stage.ts";
import { Internet } from "./internet.ts";
import { KernelLinks } from "./kernel-links.ts";
import {
  isMultipathTarget,
  multipath,
  multipathAcross,
  multipathRouters,
  multipathSource,
  multipathTargets,
} from "./multipath.ts";
import { WireWatch } from "./wire-watch.ts";

/** Slow enough that a round is under way when the kills come. */
const rate = 400;
const killsAt = { agent: 100, gateway: 400 };
const { near, far } = multipathTargets;

const stack = new AsyncDisposableStack();
let net: Internet;
let stage: DiscoveryStage;
beforeAll(async () => {
  net = stack.use(await Internet.start(multipath(1)));
  stage = stack.use(await DiscoveryStage.open(net, [multipathSource, multipathAcross]));
});
afterAll(() => stack.disposeAsync());

function truth(family: "v4" | "v6") {
  return KernelLinks.read(net, multipathRouters, family);
}

test("IPv4 by one agent, IPv6 by agents on two sides, at once: all links, none invented, nothing asked twice", async () => {
  const watched = { net, folder: stage.folder, node: "gate", neighbour: multipathSource.node };
  await using watch = await WireWatch.start(watched);
  const both = [multipathSource.node, multipathAcross.node];
  await stage.begin({ name: "four", agents: [multipathSource.node], targets: [near.v4, far.v4], rate });
  await stage.begin({ name: "six", agents: both, targets: [near.v6, far.v6], rate });
  await watch.until(killsAt.agent);
  await stage.killAgent(multipathSource);
  await stage.startAgent(multipathSource);
  await watch.until(killsAt.gateway);
  stage.killGateway();
  for (const name of ["four", "six"]) {
    expect(await stage.over(name)).toMatchObject({ run_state: "done", reason: null });
  }
  const sent = await watch.probes();
  expect(sent.length).toBeGreaterThan(1500);
  // The gateway asks for none again; the killed agent repeats the packets of the one send it was in.
  expect(sent.length - new Set(sent).size).toBeLessThanOrEqual(batchFramesMax);

  const [four, six] = [await truth("v4"), await truth("v6")];
  const found = await stage.links("four", isMultipathTarget);
  expect([...found].sort()).toEqual([...four.from("gate", [near.v4, far.v4])].sort());
  const [gate, back] = ["gate", "back"].map((first) => six.from(first, [near.v6, far.v6]));
  const foundBy = (name: string) => stage.links("six", isMultipathTarget, "-a", name);
  expect([...(await foundBy(multipathSource.node))].sort()).toEqual([...(gate ?? [])].sort());
  expect([...(await foundBy(multipathAcross.node))].sort()).toEqual([...(back ?? [])].sort());
  // Each has links that the other cannot see.
  expect([found.size, gate?.size, back?.size, gate?.union(back ?? new Set()).size]).toEqual([25, 25, 4, 29]);
});
