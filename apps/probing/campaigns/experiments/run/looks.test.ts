import { expect, test } from "bun:test";
import { latenciesOf, orderOf } from "./looks.ts";

const probing = {
  ...{ agents: ["west:[2001:db8::1]", "east:[2001:db8::1]"], targets: ["2001:db8:9::1", "2001:db8:9::2"] },
  ...({ protocol: "icmpv6", rate: 500, sites: {} } as const),
};

const received = (target: string, sender: string, agent: string, ms: number) => ({
  ...{ agent, target, ttl: 41, router: target, sender, replyTtl: 60 },
  ...{ sentNs: 1_000_000_000n, receivedNs: 1_000_000_000n + BigInt(Math.round(1e6 * ms)) },
});

test("a latency is that of the site which receives its own probe; where it is not known, there is none", () => {
  const found = latenciesOf([
    received("2001:db8:9::1", "west", "west", 12.344),
    received("2001:db8:9::1", "east", "west", 40),
    received("2001:db8:9::2", "west", "east", 25),
    received("2001:db8:9::2", "east", "east", 0),
  ]);
  expect(found).toEqual({ "2001:db8:9::1": 12.34 });
});

test("all agents send where latencies are wanted, else the first one", () => {
  const look = { sec: 0, kind: "catchment", probes: 2, times: 1, everySec: 0, round: 0 } as const;
  const [first = ""] = probing.agents;
  expect(orderOf(look, probing, { key: "k", number: 7 }).agents).toEqual([first]);
  expect(orderOf(look, probing, { key: "k", number: 7, everySends: true }).agents).toEqual(probing.agents);
});
