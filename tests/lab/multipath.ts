/**
 * Kernel routers that balance flows over equal ways, by addresses and ports: a network of the lab whose links are all
 * known, so that what a discovery finds can be compared with it.
 *
 *                  m1 -- n1                u1 -------- v1                  near     target, two /24s
 *     source - gate     X  n2 -- merge -                    -- edge ---
 *                  m2 -- n3                u2 -- v2 … v5            \ w1, w2 \
 *                  (each m to each n)     (uneven)                   w1, w2 - far  target, two /24s
 *                                                                         \ back - across
 *
 * Start it with `Internet.start(multipath(seed))`, probe from node `source`, and compare with `multipathLinks`. Probes
 * from `across` come from the other side: by the links of `back`, and from w1 and w2 to `edge`.
 */
import { identity, nextHops, nodeNamed } from "./routing.ts";
import type { Link, Node, PrefixPair, Topology } from "./topology.ts";

/** Where the probes come from: its interface leads to `gate`. */
export const multipathSource = {
  node: "source",
  interfaceName: "to-gate",
  v4: "192.0.2.2",
  v6: "2001:db8:e::2",
};

/** On the other side. */
export const multipathAcross = {
  node: "across",
  interfaceName: "to-back",
  v4: "192.0.2.10",
  v6: "2001:db8:f::2",
};

/** Prefixes that `near` and `far` answer for, every address of them. Each is one routed prefix. */
export const multipathTargets = {
  near: { v4: "198.18.0.0/23", v6: "2001:db8:1800::/63" },
  far: { v4: "198.18.2.0/23", v6: "2001:db8:1802::/63" },
} as const satisfies Record<string, PrefixPair>;

/** Whether an address is one of theirs. IPv6 answers come from the target's own one. */
export function isMultipathTarget(address: string): boolean {
  return /^(198\.18\.|2001:db8:180\d:|2001:db8:255::20[23]$)/.test(address);
}

const layers = [
  ["gate"],
  ["m1", "m2"],
  ["n1", "n2", "n3"],
  ["merge"],
  ["u1", "u2"],
  ["v1", "v2", "v3", "v4", "v5"],
  ["edge"],
  ["w1", "w2"],
] as const;
const back = "back";
/** Names of all routers. */
export const multipathRouters: readonly string[] = [...layers.flat(), back];

/** u1 leads to v1 alone, u2 to the others: an uneven branch. Everything else is linked all with all. */
function isLinked(near: string, far: string): boolean {
  return near === "u1" ? far === "v1" : near !== "u2" || far !== "v1";
}

/**
 * The network. Each router chooses by a seed of its own, as routers of the Internet do: with one for all, flows that a
 * balancer sends left would go left at the next one too.
 *
 * @param seed other values part the flows in other ways; kernels before 6.11 do not take it
 * @param multipathBy see topology.ts
 */
export function multipath(seed: number, multipathBy?: Node["multipathBy"]): Topology {
  const nodes: Node[] = [
    { name: multipathSource.node, role: "vantage", id: 201 },
    ...multipathRouters.map((name, i): Node => {
      const by = multipathBy === undefined ? {} : { multipathBy };
      return { name, role: "router", id: i + 1, multipathSeed: multipathSeedOf(seed, i), ...by };
    }),
    { name: "near", role: "target", id: 202, local: multipathTargets.near },
    { name: "far", role: "target", id: 203, local: multipathTargets.far },
    { name: multipathAcross.node, role: "vantage", id: 204 },
  ];
  const links: Link[] = [
    { a: "gate", b: multipathSource.node, prefix: { v4: "192.0.2.0/29", v6: "2001:db8:e::/64" } },
    ...layers.flatMap((layer, i) =>
      layer.flatMap((a) => (layers[i + 1] ?? []).filter((b) => isLinked(a, b)).map((b): Link => ({ a, b }))),
    ),
    { a: "edge", b: "near" },
    { a: "w1", b: "far" },
    { a: "w2", b: "far" },
    { a: "w1", b: back },
    { a: "w2", b: back },
    { a: back, b: multipathAcross.node, prefix: { v4: "192.0.2.8/29", v6: "2001:db8:f::/64" } },
  ];
  return { nodes, links };
}

/** What the i-th router chooses by; from 1 on, as 0 leaves the choice to the kernel. */
export function multipathSeedOf(seed: number, i: number): number {
  return 1 + ((seed * 7919 + i * 104_729) % 0x7fffffff);
}

/**
 * The links that flows to the given targets can show, as `near>far` of the addresses that routers answer from. The
 * source's own link, and those to the targets, whose addresses are the probes' own, are left out.
 *
 * They come from the drawing: all equal ways of each router.
 */
export function multipathLinks(
  topology: Topology,
  targets: readonly (keyof typeof multipathTargets)[],
  family: keyof PrefixPair,
): Set<string> {
  const links = new Set<string>();
  const addressOf = (name: string) => identity(nodeNamed(topology, name))[family];
  for (const target of targets) {
    for (let front = ["gate"]; front.length > 0; ) {
      const ways = front.flatMap((near) =>
        nextHops(topology, near, target).map(({ peerName }) => [near, peerName] as const),
      );
      const between = ways.filter(([, far]) => far !== target);
      for (const [near, far] of between) {
        links.add(`${addressOf(near)}>${addressOf(far)}`);
      }
      front = [...new Set(between.map(([, far]) => far))];
    }
  }
  return links;
}
