/** Paths by chance, with links that report what they take and others that do not: the sizes found are theirs. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type HopMtu, type MtuAnswer, type MtuProbe, MtuSearch } from "./mtu-search.ts";

const [sizeMin, sizeMax] = [314, 1500];

interface Link {
  readonly mtu: number;
  readonly report: "right" | "zero" | "none";
}

/** How a path answers whose link i leads to hop i + 1. */
function answerOf(links: readonly Link[], { ttl, sizeBytes }: MtuProbe): MtuAnswer {
  const narrow = links.findIndex(({ mtu }, i) => i < ttl && (sizeBytes ?? 0) > mtu);
  const link = links[narrow];
  if (link === undefined) {
    return { kind: "answered" };
  }
  return link.report === "none"
    ? { kind: "lost" }
    : { kind: "tooBig", mtuBytes: link.report === "right" ? link.mtu : 0, from: `router ${narrow}` };
}

function searched(
  links: readonly Link[],
  answer = (probe: MtuProbe) => answerOf(links, probe),
): { hops: readonly HopMtu[]; probes: number; rounds: number } {
  const ttls = links.map((_, i) => i + 1);
  const search = new MtuSearch(ttls, sizeMin, sizeMax);
  let [probes, rounds] = [0, 0];
  for (let round = search.round(); round.length > 0; round = search.round()) {
    probes += round.length;
    rounds++;
    expect(rounds).toBeLessThan(200);
    search.take(round.map((probe) => [probe, answer(probe)] as const));
  }
  return { hops: search.hops(), probes, rounds };
}

const link = fc.record({
  mtu: fc.oneof(
    fc.constant(sizeMax),
    fc.constantFrom(1492, 1480, 1400, 1280),
    fc.integer({ min: 400, max: 1500 }),
  ),
  report: fc.constantFrom<Link["report"]>("right", "right", "none"),
});

test("each hop has the size of the narrowest link before it", () => {
  fc.assert(
    fc.property(fc.array(link, { minLength: 1, maxLength: 12 }), (links) => {
      const narrowest = links.map((_, i) =>
        Math.min(sizeMax, ...links.slice(0, i + 1).map(({ mtu }) => mtu)),
      );
      const { hops } = searched(links);
      expect(hops.map(({ mtuBytes }) => mtuBytes)).toEqual(narrowest);
      const falls = narrowest.map((size, i) => size < (narrowest[i - 1] ?? sizeMax));
      expect(hops.map(({ limit }) => limit !== null)).toEqual(falls);
    }),
    { numRuns: 500 },
  );
});

const whole = { mtu: 1500, report: "right" } as const;

test("a path that carries all takes one probe a hop", () => {
  expect(searched(Array(10).fill(whole))).toMatchObject({ probes: 10, rounds: 1 });
});

test("who reported a size is named, and what drops in silence is another limit", () => {
  const { hops } = searched([whole, { mtu: 1400, report: "right" }, { mtu: 1280, report: "none" }, whole]);
  expect(hops).toEqual([
    { ttl: 1, mtuBytes: 1500, limit: null },
    { ttl: 2, mtuBytes: 1400, limit: { kind: "reported", by: "router 1" } },
    { ttl: 3, mtuBytes: 1280, limit: { kind: "silent" } },
    { ttl: 4, mtuBytes: 1280, limit: null },
  ]);
});

test("a router that reports 0 has a usual size that fits", () => {
  const { hops } = searched([whole, { mtu: 1400, report: "zero" }]);
  expect(hops[1]).toMatchObject({ mtuBytes: 1400, limit: { kind: "reported" } });
});

test("a hop that stopped to answer is unknown, and those behind it are not", () => {
  const links: Link[] = [whole, whole, { mtu: 1400, report: "right" }];
  const { hops } = searched(links, (probe) => (probe.ttl === 2 ? { kind: "lost" } : answerOf(links, probe)));
  expect(hops.map(({ mtuBytes }) => mtuBytes)).toEqual([1500, null, 1400]);
});

test("answers that are lost by chance make no size up", () => {
  fc.assert(
    fc.property(
      fc.array(link, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat(9)),
      (links, chance) => {
        const narrowest = links.map((_, i) =>
          Math.min(sizeMax, ...links.slice(0, i + 1).map(({ mtu }) => mtu)),
        );
        const { hops } = searched(links, (probe) =>
          chance.next().value === 0 ? { kind: "lost" } : answerOf(links, probe),
        );
        for (const [i, { mtuBytes }] of hops.entries()) {
          expect(mtuBytes ?? 0).toBeLessThanOrEqual(narrowest[i] ?? 0);
        }
      },
    ),
    { numRuns: 300 },
  );
});
