import { expect, test } from "bun:test";
import { path, router } from "../../../../tests/pictures/some-pictures.ts";
import { pathGraph } from "./path-graph.ts";
import { pathPictureSteps } from "./path-picture.ts";
import type { PicturedPath } from "./picture-path.ts";

function linksOf(...paths: readonly PicturedPath[]): Record<string, number> {
  const { links } = pathGraph(paths);
  return Object.fromEntries(links.map(({ from, to, flows }) => [`${from} - ${to}`, flows.size]));
}

test("links carry the flows that pass both ends", () => {
  const branched = path(
    [router("a", [0, 1, 2, 3])],
    [router("b", [0, 1, 2]), router("c", [3])],
    [router("d", [0, 1, 2, 3])],
  );
  expect(linksOf(branched)).toEqual({
    "0/agent west - 1/a": 4,
    "1/a - 2/b": 3,
    "1/a - 2/c": 1,
    "2/b - 3/d": 3,
    "2/c - 3/d": 1,
  });
});

test("silence between other routers is another silence", () => {
  const silent = path(
    [router("a", [0, 1]), router("b", [2])],
    [router(null, [0, 1, 2])],
    [router("c", [0]), router("d", [1, 2])],
  );
  const { nodes } = pathGraph([silent]);
  const found = [...nodes.values()].filter(({ kind }) => kind === "silent");
  expect(found.map(({ id, flows }) => [id, flows.size])).toEqual([
    ["2/silent 1/a>c", 1],
    ["2/silent 1/a>d", 1],
    ["2/silent 1/b>d", 1],
  ]);
});

test("a TTL that one flow was not probed with keeps its place", () => {
  const gap = path([router("a", [0, 1])], [router("b", [0])], [router("c", [0, 1])]);
  expect(linksOf(gap)).toMatchObject({ "1/a - 2/unprobed 1/a>c": 1, "2/unprobed 1/a>c - 3/c": 1 });
});

test("a flow that packets leave by two routers is on both", () => {
  const perPacket = path([router("a", [0])], [router("b", [0]), router("c", [0])], [router("d", [0])]);
  expect(linksOf(perPacket)).toMatchObject({
    "1/a - 2/b": 1,
    "1/a - 2/c": 1,
    "2/b - 3/d": 1,
    "2/c - 3/d": 1,
  });
});

test("an address that one flow meets twice is a loop; one that two flows meet is not", () => {
  const looped = pathGraph([
    path([router("a", [0])], [router("b", [0])], [router("a", [0])], [router("d", [0])]),
  ]);
  expect([...(looped.nodes.get("1/a")?.loopTtls ?? [])]).toEqual([3]);
  expect([...(looped.nodes.get("3/a")?.loopTtls ?? [])]).toEqual([1]);
  const longer = pathGraph([
    path([router("a", [0]), router("b", [1])], [router("a", [1]), router("d", [0])]),
  ]);
  expect(longer.nodes.get("1/a")?.loopTtls.size).toBe(0);
});

test("paths are laid over each other, and figures added", () => {
  const one = path([router("a", [0, 1])], [router("d", [0, 1])]);
  const two = { ...path([router("a", [0])], [router("e", [0])]), agent: "east", reached: false };
  const { nodes, flows, agents, destinations, reached } = pathGraph([one, two]);
  expect([flows, agents.size, destinations.size, reached]).toEqual([3, 2, 2, 1]);
  const { probes, answered, mediansMs } = nodes.get("1/a") ?? {};
  expect({ probes, answered, mediansMs }).toEqual({ probes: 9, answered: 9, mediansMs: [1.5, 1.5] });
  expect(linksOf(one, two)).toMatchObject({
    "0/agent west - 1/a": 2,
    "0/agent east - 1/a": 1,
    "1/a - 2/e": 1,
  });
});

test("of a hop of 100,000 routers 256 are drawn, those of most flows, and the others counted", () => {
  const many = Array.from({ length: 100_000 }, (_, i) =>
    router(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, [i]),
  );
  const wide = router("192.0.2.7", [100_000, 100_001]);
  const graph = pathGraph([path([router("a", [0])], [...many, wide], [router("203.0.113.9", [0, 99_999])])]);
  expect(graph.leftOut).toEqual(new Map([[2, 99_745]]));
  // Agent, a, 256 routers, one for what is left out, the target; the flows at its sides went through no other hop.
  expect([...graph.nodes.keys()]).toContain("2/192.0.2.7");
  expect([...graph.nodes.values()].filter(({ ttl }) => ttl === 2)).toHaveLength(257);
  expect(graph.nodes.get("2/left out")).toMatchObject({ kind: "folded", label: "99745 more routers" });
});

test("one flow that many routers answer takes steps in proportion to them", () => {
  const many = Array.from({ length: 256 }, (_, i) => router(`10.0.0.${i}`, [0]));
  expect(pathGraph([path(many)]).links).toHaveLength(256);
});

test("a path of 20,000 flows is drawn in steps", () => {
  const flows = Array.from({ length: 20_000 }, (_, i) => i);
  const steps = pathPictureSteps([path([router("a", flows)], [router("b", flows)])]);
  let count = 0;
  while (steps.next().done !== true) {
    count++;
  }
  // 79 for each of two hops, and as many for what they become.
  expect(count).toBeGreaterThan(200);
});
