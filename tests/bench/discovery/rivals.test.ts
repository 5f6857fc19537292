/** The rules of others, on paths so short that their probes can be counted by hand. */
import { expect, test } from "bun:test";
import { GraphNetwork, layeredEdges } from "../../discovery/simulator/graph-network.ts";
import { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";
import { flashRoute } from "./flash-route.ts";
import { yarrp } from "./yarrp.ts";

/** One target behind a row of so many routers. */
function row(routers: number): SimulatedNet {
  const path = new GraphNetwork(layeredEdges(new Array<number>(routers).fill(1)), 1);
  return new SimulatedNet(path, { seed: 1, probesPerSec: 1000, roundGapSec: 1 });
}

test.each([
  // The sixteenth TTL answers nothing, so nothing is filled in.
  [4, 16, 3],
  // It answers, and so do 17 to 20; the one behind does not.
  [20, 21, 19],
])("Yarrp's rules on %i routers: %i probes, %i links", (routers, probes, links) => {
  const net = row(routers);
  expect([yarrp(net, 1).size, net.probes, net.rounds]).toEqual([links, probes, 1]);
});

test.each([
  // 16 back to 1, and 17 to 21, five behind the split, in the first rounds of these.
  [4, 1, 21, 3],
  // 17 to 20 answer, five more do not.
  [20, 1, 25, 19],
  [20, 2, 50, 19],
])("FlashRoute's rules on %i routers, %i ports: %i probes, %i links", (routers, scans, probes, links) => {
  const net = row(routers);
  expect([flashRoute(net, 1, scans).size, net.probes]).toEqual([links, probes]);
});

test("FlashRoute's rules: a router that was seen ends the way back", () => {
  const twoTargets = {
    units: 2,
    subnetsEach: 1,
    length: 16,
    nodeAt: (_: number, __: number, ttl: number) => (ttl <= 16 ? ttl : 0),
    visitLinks: () => undefined,
  };
  const net = new SimulatedNet(twoTargets, { seed: 1, probesPerSec: 1000, roundGapSec: 1 });
  flashRoute(net, 1, 1);
  // One goes all the way back; the other stops at once, at the router of the split TTL.
  expect(net.probes).toBe(16 + 5 + 1 + 5);
});
