/**
 * What campaigns notice, on runs of real probes: a changed route, lost packets and a longer way are each raised once
 * and cleared once. Runs follow each other at once here; when they come is for the tests of campaigns.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { afterSeriesRun, newSeries, type SeriesState } from "../../lib/measuring/campaign/notice/notice.ts";
import { everyRule } from "../../lib/measuring/campaign/notice/rules.ts";
import { type ProbedHop, seriesRun } from "../../lib/measuring/campaign/notice/series-run.ts";
import { longTest } from "../run/long-test.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import { delayTarget, targetAddress } from "./responder/scenario.ts";
import { identity, interfaceTo, nextHops, nodeNamed } from "./routing.ts";
import { internet } from "./topology.ts";

const src = "192.0.2.2";
/** The kernel's target of the topology. */
const dst = "203.0.113.10";
const [flows, ttlMax] = [16, 12];
/** A busy machine may take some ms to answer: a longer way is one of at least 10 ms more. */
const rules = {
  ...everyRule,
  loss: { threshold: 0.1, runs: 2 },
  rtt: { ...everyRule.rtt, gapMs: 10, gapShare: 0 },
};

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

/** All flows by one of the two branches. */
async function routeBy(name: "up1" | "low1"): Promise<void> {
  const branch = nextHops(internet, "split", "edge").find(({ peerName }) => peerName === name);
  if (branch === undefined) {
    throw new Error(`The lab has no branch ${name} to the target`);
  }
  const from = identity(nodeNamed(internet, "split")).v4;
  const way = ["via", branch.peer.v4, "dev", branch.interfaceName, "src", from];
  await run(net.at("split", ["ip", "route", "replace", dst, ...way]));
}

/** Three of ten packets to the target are dropped on their last hop. */
async function lose(isOn: boolean): Promise<void> {
  const program = isOn
    ? `table ip lossy {
        chain forward {
          type filter hook forward priority 0;
          ip daddr ${dst} numgen random mod 10 < 3 drop
        }
      }`
    : "delete table ip lossy";
  await run(net.at("edge", ["nft", "-f", "-"]), program);
}

/** All that the responder answers comes so much later. */
async function delay(ms: number): Promise<void> {
  await run(net.at("edge", ["bash", "-c", `echo > /dev/udp/${delayTarget}/${ms}`]));
}

async function cells(dst: string): Promise<ProbedHop[]> {
  const probes = probeGrid({ src, dst, protocol: "udp", flows, ttls: [1, ttlMax] });
  const order = {
    interfaceName: interfaceTo("eastAccess"),
    probes,
    repliesExpected: probes.length,
    waitMs: 500,
  };
  const { replies } = await probeFrom(net, "east", order);
  return probes.map(({ srcPort, ttl }) => {
    const answers = replies
      .filter((reply) => reply.srcPort === srcPort && reply.ttl === ttl)
      .map(({ from, rttTenthMs }) => ({ router: from, rttMs: rttTenthMs / 10, isTarget: from === dst }));
    return { flow: String(srcPort), ttl, sent: 1, answered: answers.length, answers };
  });
}

/** So many runs to a target, one after another: what they raise and clear. */
function campaignTo(target: string): (count: number) => Promise<string[]> {
  let state: SeriesState = newSeries;
  return async (count) => {
    const said: string[] = [];
    for (let i = 0; i < count; i++) {
      const step = afterSeriesRun(rules, state, seriesRun(await cells(target), state.reachTtl), () => null);
      state = step.state;
      said.push(...step.changes.map((one) => `${one.detector} ${one.kind}`));
    }
    return said.toSorted();
  };
}

test("a route that changes and comes back, and loss that comes and goes", async () => {
  const runs = campaignTo(dst);
  await routeBy("up1");
  expect(await runs(4)).toEqual([]);
  await routeBy("low1");
  expect(await runs(3)).toEqual(["new_link raised", "next_hops raised"]);
  await routeBy("up1");
  expect(await runs(3)).toEqual(["new_link cleared", "next_hops cleared"]);
  await lose(true);
  expect(await runs(2)).toEqual(["loss raised"]);
  await lose(false);
  expect(await runs(4)).toEqual(["loss cleared"]);
});

longTest("a way that is 20 ms longer for a while", async () => {
  const runs = campaignTo(targetAddress(10).v4);
  expect(await runs(5)).toEqual([]);
  await delay(20);
  expect(await runs(3)).toEqual(["rtt raised"]);
  await delay(1);
  expect(await runs(4)).toEqual(["rtt cleared"]);
});
