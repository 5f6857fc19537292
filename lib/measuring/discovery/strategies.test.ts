import { describe, expect, test } from "bun:test";
import { strategies } from "./strategies.ts";
import { type RoundReply, type StrategyOptions, strategyOptions } from "./strategy.ts";

/** Two routers side by side at TTL 3, four at TTL 5, the target behind TTL 6; TTL 4 is silent for subnet 3. */
function reply(subnet: number, flow: number, ttl: number): RoundReply {
  if (ttl > 6) {
    return { subnet, flow, ttl, node: null, isEnd: true };
  }
  const branch = ttl === 3 ? flow % 2 : ttl === 5 ? (flow * 7 + subnet) % 4 : 0;
  return { subnet, flow, ttl, node: ttl === 4 && subnet === 3 ? null : ttl * 10 + branch };
}

function explore(name: keyof typeof strategies, options: StrategyOptions, order: 1 | -1 = 1) {
  const replies: RoundReply[] = [];
  const rounds: string[] = [];
  for (let round = 0; ; round++) {
    const probes = strategies[name].next(
      replies.toSorted(() => order),
      { subnets: [1, 2, 3], round },
      options,
    );
    rounds.push(probes.map(({ subnet, flow, ttl }) => `${subnet}/${flow}/${ttl}`).join(" "));
    if (probes.length === 0) {
      return { replies, rounds };
    }
    replies.push(...probes.map(({ subnet, flow, ttl }) => reply(subnet, flow, ttl)));
  }
}

const names = ["paris", "diamond-miner", "mda", "shared"] as const;

describe.each(names)("%s", (name) => {
  const options = strategyOptions({ windowTtls: 4, ttlMax: 12 });
  const { replies, rounds } = explore(name, options);

  test("is in the table under its name, ends, and sees every hop of each subnet", () => {
    expect(strategies[name].name).toBe(name);
    const seen = new Set(replies.map(({ subnet, ttl, node }) => (node === null ? "" : `${subnet}/${ttl}`)));
    // MDA knows no way on behind a silent hop.
    const hops = { paris: ["1/1", "3/6"], mda: ["1/1", "2/6"] };
    for (const hop of name === "paris" || name === "mda" ? hops[name] : ["1/1", "1/5", "2/3", "3/6"]) {
      expect(seen).toContain(hop);
    }
  });

  test("the same replies in another order give the same probes, and none of a round twice", () => {
    expect(explore(name, options, -1).rounds).toEqual(rounds);
    for (const round of rounds) {
      const probes = round.split(" ");
      expect(new Set(probes).size).toBe(probes.length);
    }
  });

  test("keeps to the TTLs and to the rounds that are allowed", () => {
    const few = explore(name, strategyOptions({ ttlMax: 5, roundsMax: 2 }));
    expect(Math.max(...few.replies.map(({ ttl }) => ttl))).toBeLessThanOrEqual(5);
    expect(few.rounds.length).toBeLessThanOrEqual(3);
  });
});

test("paris goes back only until a router that another path, or another unit, has shown", () => {
  const options = strategyOptions({ splitTtl: 4 });
  const { replies } = explore("paris", options);
  const first = replies.filter(({ ttl }) => ttl === 1).map(({ subnet }) => subnet);
  expect(first).toEqual([1]);
  const seenNodes = new Set([30]);
  const next = strategies.paris.next(
    [reply(1, 0, 4), reply(1, 0, 3), reply(1, 0, 5)],
    { subnets: [1], round: 2, seenNodes },
    options,
  );
  expect(next).toEqual([{ subnet: 1, flow: 0, ttl: 6 }]);
});

test("shared asks behind a router that only one flow has found, where others' flows have gone on", () => {
  const first = [10, 20, 30, 40, null, null, null, null, null];
  const way = first.flatMap((node, i) => [1, 2].map(() => ({ subnet: 1, flow: 0, ttl: i + 1, node })));
  const found = [10, 21].map((node, i) => ({ subnet: 1, flow: 1, ttl: i + 1, node }));
  const probes = strategies.shared.next([...way, ...found], { subnets: [1], round: 3 }, strategyOptions());
  expect(probes).toContainEqual({ subnet: 1, flow: 1, ttl: 3 });
});

test("options outside of their range are refused by name", () => {
  expect(() => strategyOptions({ confidencePercent: 20 })).toThrow("confidencePercent is 20");
  expect(() => strategyOptions({ gapLimit: 1.5 })).toThrow("gapLimit is 1.5");
  expect(() => strategyOptions({ ttlMin: 9, ttlMax: 8 })).toThrow("ttlMin is 9");
  expect(strategyOptions({ ttlMax: 8 }).splitTtl).toBe(8);
});
