import { describe, expect, test } from "bun:test";
import {
  type AgentSelector,
  drawn,
  matchesSelector,
  readSelector,
  type SelectableAgent,
  selectableValues,
} from "./agent-selector.ts";

const oslo: SelectableAgent = {
  id: "oslo",
  tags: ["EU", "anycast"],
  asn: 64500,
  country: "NO",
  location: "Oslo, rack 4",
};
const lyon: SelectableAgent = { id: "lyon", tags: ["eu"], asn: 64501, country: "FR", location: "Lyon" };
const bare: SelectableAgent = { id: "bare", tags: [], asn: null, country: null, location: null };
const all = [oslo, lyon, bare];

function selector(text: string): AgentSelector {
  const read = readSelector(text);
  if (read.kind !== "selector") {
    throw new Error(`${text} is ${read.kind}`);
  }
  return read.selector;
}

describe("a selector matches agents by what their operator says of them", () => {
  test.each([
    ["tag:eu", ["oslo", "lyon"]],
    ["tag:Anycast", ["oslo"]],
    ["tag:any", []],
    ["as:64500", ["oslo"]],
    ["as:AS64501", ["lyon"]],
    ["country:fr", ["lyon"]],
    ["place:rack", ["oslo"]],
    ["place:LYON", ["lyon"]],
    ["3@any", ["oslo", "lyon", "bare"]],
    ["1@tag:eu", ["oslo", "lyon"]],
  ])("%s", (text, ids) => {
    const read = selector(text);
    expect(all.filter((agent) => matchesSelector(agent, read)).map(({ id }) => id)).toEqual(ids);
    expect(read.text).toBe(text);
  });
});

test("a number before the at sign is how many", () => {
  expect(["tag:eu", "1@tag:eu", "1000@any"].map((text) => selector(text).count)).toEqual([null, 1, 1000]);
});

test.each([
  "west",
  "west:192.0.2.1",
  "tag:192.0.2.1",
  "as:[2001:db8::1]",
  "any",
  "any:x",
  "region:eu",
  "x@any",
  "",
])("%s is the name of an agent, perhaps with a source", (text) => {
  expect(readSelector(text)).toEqual({ kind: "none" });
});

describe("what is nearly a selector says what would be one", () => {
  test.each([
    ["0@any", "selects 0 agents: choose 1 to 1000"],
    ["1001@tag:eu", "selects 1001 agents: choose 1 to 1000"],
    ["3@eu", "selects no agents: write tag:NAME"],
    ["3@tag:192.0.2.1", null],
    ["as:x", "is not an AS number: write as:64500"],
    ["as:4294967296", "is not an AS number"],
    ["country:Germany", "is not a country of two letters: write country:DE"],
    ["tag:", "has nothing after the colon: write tag:NAME"],
    ["2@place: ", "has nothing after the colon: write place:NAME"],
  ])("%j", (text, reason) => {
    const read = readSelector(text);
    expect(read).toEqual(
      reason === null
        ? expect.objectContaining({ kind: "selector" })
        : { kind: "bad", reason: expect.stringContaining(reason) },
    );
  });
});

test("what there is to select is named, the most frequent first", () => {
  expect(selectableValues(all, selector("tag:x"))).toEqual(["EU", "anycast", "eu"]);
  expect(selectableValues([...all, lyon], selector("country:XX"))).toEqual(["FR", "NO"]);
  expect(selectableValues(all, selector("5@any"))).toEqual([]);
});

/** Park and Miller's generator, so that the test is the same each time. */
function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

describe("a draw", () => {
  test("takes as many as were asked for, each once", () => {
    const chosen = drawn([1, 2, 3, 4, 5], 3, seeded(7));
    expect(new Set(chosen).size).toBe(3);
    expect(drawn([1, 2], 5, seeded(7)).sort()).toEqual([1, 2]);
  });

  test("gives each pair of five the same chance", () => {
    const below = seeded(42);
    const counts = new Map<string, number>();
    const draws = 20_000;
    for (let i = 0; i < draws; i++) {
      const pair = drawn(["a", "b", "c", "d", "e"], 2, below).sort().join("");
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    // Ten pairs, 2000 each; chi-squared of 9 degrees of freedom is above 27.9 once in a thousand seeds.
    const expected = draws / 10;
    const chiSquared = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(10);
    expect(chiSquared).toBeLessThan(27.9);
  });
});
