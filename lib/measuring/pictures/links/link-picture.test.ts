/** The picture of links: what is drawn, folded, marked, and said. */
import { expect, test } from "bun:test";
import { dotOf, graphmlOf } from "../../formats/graph-forms.ts";
import { growthPicture } from "../charts/growth-picture.ts";
import { pictureFile } from "../look.ts";
import { aroundAs, asGraph } from "./as-graph.ts";
import { linkPicture } from "./link-picture.ts";
import type { PicturedGraph, PicturedLink, PicturedNode } from "./pictured-graph.ts";

const hostile = '"]};<script>alert(1)</script>\u202e\u0000\n\\';

function node(id: string, ttl: number, more: Partial<PicturedNode> = {}): PicturedNode {
  return { id, ttl, address: id, flows: 4, ...more };
}

function link(from: string, to: string, more: Partial<PicturedLink> = {}): PicturedLink {
  return { from, to, flows: 2, ...more };
}

const graph: PicturedGraph = {
  nodes: [
    node("192.0.2.1", 1, { asn: 64_500, as_name: hostile, rtt_median_ms: 1.5 }),
    node("192.0.2.2", 2, { asn: 64_500, mpls_labels: [{ label: 24_000 }] }),
    node("silent 2 after 192.0.2.1", 2, { address: null }),
    node("198.51.100.3", 3, { asn: 64_501, is_destination: true }),
  ],
  links: [
    link("192.0.2.1", "192.0.2.2"),
    link("192.0.2.1", "silent 2 after 192.0.2.1"),
    link("192.0.2.2", "198.51.100.3"),
    link("silent 2 after 192.0.2.1", "198.51.100.3"),
  ],
  is_cut: false,
};

test("a column for each TTL, and a sentence for the whole and for each node", () => {
  const picture = linkPicture(graph);
  expect(picture.sentence).toBe("3 routers, 1 silent hop and 4 links; the widest is TTL 2 with 2.");
  const svg = pictureFile(picture);
  expect(svg.match(/class="link/g)).toHaveLength(4);
  expect(svg.match(/class="link silent"/g)).toHaveLength(1);
  expect(svg).toContain("TTL 2: 192.0.2.2, AS64500, ");
  expect(svg).toContain("2 flows on to 192.0.2.2; 2 flows on to no answer.");
  expect(svg).toContain("MPLS");
});

test("two measurements compared: what appeared and what is gone is marked, and counted", () => {
  const states = ["appeared", "gone", "both", "both"] as const;
  const links = graph.links.map((one, i) => ({ ...one, state: states[i] ?? "both" }));
  const picture = linkPicture({ ...graph, links });
  expect(picture.sentence).toContain("; 1 appeared, 1 gone, 2 in both; ");
  const svg = pictureFile(picture);
  expect(svg).toContain(">+</text>");
  expect(svg).toContain(">−</text>");
  expect(svg).toContain("192.0.2.1 to 192.0.2.2: 2 flows, appeared");
});

test("an AS is one node until it is opened; around an AS is what a link joins to it", () => {
  const closed = asGraph(graph, new Set([64_501]));
  expect(closed.nodes.map(({ id }) => id).sort()).toEqual([
    "198.51.100.3",
    "AS64500",
    "silent 2 after 192.0.2.1",
  ]);
  expect(closed.links.map(({ from, to }) => `${from} > ${to}`).sort()).toEqual([
    "AS64500 > 198.51.100.3",
    "AS64500 > silent 2 after 192.0.2.1",
    "silent 2 after 192.0.2.1 > 198.51.100.3",
  ]);
  expect(aroundAs(graph, 64_501).links).toHaveLength(2);
  expect(aroundAs(graph, 64_501).nodes.map(({ id }) => id)).not.toContain("192.0.2.1");
});

test("ten thousand nodes of one TTL are twelve, until the TTL is opened; no link is drawn to nothing", () => {
  const many = Array.from({ length: 9_999 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
  const wide: PicturedGraph = {
    nodes: [node("192.0.2.1", 1), ...many.map((id, i) => node(id, 2, { flows: i }))],
    links: many.map((id) => link("192.0.2.1", id)),
    is_cut: true,
  };
  const picture = linkPicture(wide);
  expect(picture.foldedTtls).toEqual([2]);
  expect(picture.sentence).toEndWith("; only those with most flows are shown.");
  const svg = pictureFile(picture);
  expect(svg.match(/role="listitem"/g)).toHaveLength(13);
  expect(svg).toContain("9988 more of TTL 2");
  expect(svg.length).toBeLessThan(50_000);
});

test("foreign text stays text in each form", () => {
  const foreign = { ...graph, nodes: graph.nodes.map((one) => ({ ...one, name: hostile })) };
  const svg = pictureFile(linkPicture(foreign));
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("\u202e");
  const rows = {
    nodes: foreign.nodes.map((one) => ({ ...one })),
    links: foreign.links.map((one) => ({ ...one })),
  };
  const graphml = graphmlOf(rows);
  expect(graphml).not.toContain("<script");
  expect(graphml).not.toMatch(/[\u202e\0]/);
  const dot = dotOf(rows);
  // A text ends at the first quote without a backslash; then comes the next member.
  for (const [, inner = ""] of dot.matchAll(/\bname="((?:[^"\\]|\\.)*)"(?=[,\]])/g)) {
    expect(inner.replaceAll(/\\(.)/g, "$1")).toBe(hostile.replaceAll(/[\u202e\0\n]/g, " "));
  }
  expect(dot.match(/\bname="/g)).toHaveLength(4);
  expect(dot.split("\n").filter((line) => line.includes(" -> "))).toHaveLength(4);
});

test("links over answers: what the last tenth of them gave", () => {
  const points = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((i) => ({
    time: `2026-01-31T12:00:${String(i).padStart(2, "0")}Z`,
    ...{ answers: 10 * i, links: Math.min(4 * i, 38) },
  }));
  expect(growthPicture(points).sentence).toBe(
    "38 links after 100 answers; the last 10 % of the answers added 2.",
  );
  expect(growthPicture([]).sentence).toBe("No answer yet.");
});

test("a link that passes a column bows out below its boxes, and the picture has room for it", () => {
  const nodes = [node("192.0.2.1", 1), node("192.0.2.2", 2), node("192.0.2.3", 3)];
  const links = [link("192.0.2.1", "192.0.2.2"), link("192.0.2.2", "192.0.2.3")];
  const chain = { nodes, links, is_cut: false };
  const passing = { ...chain, links: [...links, link("192.0.2.1", "192.0.2.3")] };
  expect(linkPicture(passing).heightPx).toBeGreaterThan(linkPicture(chain).heightPx);
  const [, y = "", bow = ""] =
    /d="M[\d.]+ ([\d.]+)C[\d.]+ ([\d.]+)[^"]*"[^>]*><title>192.0.2.1 to 192.0.2.3/.exec(
      pictureFile(linkPicture(passing)),
    ) ?? [];
  expect(Number(bow) - Number(y)).toBe(60);
});

test("an AS is passed by all flows of its routers at a TTL, once, however many TTLs it has", () => {
  const routers = [node("a", 1), node("b", 2, { flows: 3 }), node("c", 2, { flows: 2 })];
  const nodes = routers.map((one) => ({ ...one, asn: 64_500 }));
  expect(asGraph({ nodes, links: [], is_cut: false }, new Set()).nodes.map(({ flows }) => flows)).toEqual([
    5,
  ]);
});
