/** The network of equal ways is what its drawing says: flows show each of its links, and no other. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inTier } from "../run/tier.ts";
import { Internet } from "./internet.ts";
import { multipath, multipathLinks, multipathSource, multipathTargets } from "./multipath.ts";
import { probeFrom, probeGrid } from "./probe-from.ts";
import type { SeenReply } from "./probe-job.ts";

/** Enough to take the rarest of the ways, an eighth, but for a chance of 1 in 10 million. */
const flows = 120;
const ttlMax = 8;
const timeExceeded = { v4: 11, v6: 3 };
const topology = multipath(1);

const targets = {
  v4: ["198.18.0.77", "198.18.3.5"],
  v6: ["2001:db8:1800::77", "2001:db8:1802:1::5"],
} as const;

type Choice = readonly [by: string, family: "v4" | "v6", hashed: "label" | undefined];

describe.each<Choice>([
  ["addresses and ports", "v4", undefined],
  ...inTier<readonly Choice[]>({ usual: [], long: [["addresses and ports", "v6", undefined]] }),
  // RFC 6437; without a label that names the flow, all flows would go one way.
  ["addresses and flow label", "v6", "label"],
])("routers that choose by %s, %s", (_, family, by) => {
  let net: Internet;
  beforeAll(async () => {
    net = await Internet.start(multipath(1, by));
  });
  afterAll(() => net.stop());

  test("flows show each link of the drawing and no other", () => checkLinks(net, family));
});

async function checkLinks(net: Internet, family: "v4" | "v6"): Promise<void> {
  const [near, far] = targets[family];
  for (const [target, dst] of [
    ["near", near],
    ["far", far],
  ] as const) {
    const source = multipathSource[family];
    const probes = probeGrid({ src: source, dst, protocol: "udp", flows, ttls: [1, ttlMax] });
    const { replies } = await probeFrom(net, multipathSource.node, {
      interfaceName: multipathSource.interfaceName,
      probes,
      repliesExpected: probes.length,
      rateProbesPerSec: 5000,
    });
    const found = linksOf(replies.filter(({ icmpType }) => icmpType === timeExceeded[family]));
    expect([...found].sort()).toEqual([...multipathLinks(topology, [target], family)].sort());
  }
}

test("the drawing has 25 links between routers, 23 of them before the near target", () => {
  expect(multipathLinks(topology, ["near", "far"], "v4").size).toBe(25);
  expect(multipathLinks(topology, ["near"], "v4").size).toBe(23);
  expect(Object.keys(multipathTargets)).toEqual(["near", "far"]);
});

/** Replies of one flow at TTLs that follow each other. */
function linksOf(replies: readonly SeenReply[]): Set<string> {
  const answerers = new Map(replies.map((reply) => [`${reply.srcPort}/${reply.ttl}`, reply.from]));
  return new Set(
    replies.flatMap(({ srcPort, ttl, from }) => {
      const far = answerers.get(`${srcPort}/${ttl + 1}`);
      return far === undefined ? [] : [`${from}>${far}`];
    }),
  );
}
