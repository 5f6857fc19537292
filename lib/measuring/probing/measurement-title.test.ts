import { expect, test } from "bun:test";
import { joined, type ProbeSummary, titleOf } from "./measurement-title.ts";

const trace: ProbeSummary = {
  protocols: ["udp"],
  ttl_min: 1,
  ttl_max: 32,
  first: "203.0.113.10",
  destinations: 1,
  flows: [1, 2, 3, 4, 5, 6, 7, 8],
};
const west = { probes: 768, agents: ["west"], agentCount: 1 };

test("a title names kind, destination, agents and flows", () => {
  expect(titleOf({ ...west, summary: trace })).toBe("UDP traces to 203.0.113.10 from west, 8 flows");
  const ping = { ...trace, protocols: ["icmp"], ttl_min: 64, ttl_max: 64, flows: [1], destinations: 1200 };
  const both = { probes: 1200, agents: ["east", "west"], agentCount: 2 };
  expect(titleOf({ ...both, summary: ping })).toBe("ICMP pings to 1,200 destinations from east and west");
  const many = { ...both, agents: ["a", "b", "c"], agentCount: 40 };
  expect(titleOf({ ...many, summary: { ...ping, destinations: null } })).toBe(
    "ICMP pings to many destinations from 40 agents",
  );
});

test("a measurement of an earlier version has a title too", () => {
  expect(titleOf({ ...west, probes: 1, summary: null })).toBe("1 probe from west");
});

test("what is added to an open measurement widens its summary", () => {
  const first = { ...trace, ttl_max: 1, flows: [1, 2] };
  const wave = { ...trace, ttl_min: 2, ttl_max: 4, flows: [2, 3] };
  expect(joined(first, wave)).toEqual({ ...trace, ttl_max: 4, flows: [1, 2, 3] });
  expect(joined(first, { ...wave, first: "203.0.113.11", destinations: 3 })).toMatchObject({
    first: "203.0.113.10",
    destinations: 3,
    flows: [1, 2],
  });
});
