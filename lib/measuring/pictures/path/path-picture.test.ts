import { expect, test } from "bun:test";
import { meshedPath, meshes, path, router } from "../../../../tests/pictures/some-pictures.ts";
import { pictureFile } from "../look.ts";
import { rankNodesMax } from "./fold-graph.ts";
import { pathGraph } from "./path-graph.ts";
import { pathPicture } from "./path-picture.ts";
import type { PicturedPath } from "./picture-path.ts";

const branched = path(
  [router("10.0.0.1", [0, 1, 2, 3])],
  [router("10.0.0.2", [0, 1, 2]), router(null, [3])],
  [router("203.0.113.9", [0, 1, 2, 3], { answered: 9 })],
);

function svgOf(...paths: readonly PicturedPath[]): string {
  return pictureFile(pathPicture(paths));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

test("says in a sentence what it shows", () => {
  expect(pathPicture([branched]).sentence).toBe(
    "From west to 203.0.113.9: 3 hops, 4 flows, a branch at TTL 2, 1 TTL with silence, reached. " +
      "For 0 of 2 routers enough flows were sent to be 95 % sure that no next hop is missing; " +
      "the others are marked +?.",
  );
  expect(pathPicture([]).sentence).toBe("No path yet.");
});

test("each node says its figures, and where its flows go on", () => {
  const svg = svgOf(branched);
  expect(svg).toContain(
    'aria-label="TTL 1: 10.0.0.1, 4 of 4 flows, 12 of 12 probes answered, median 1.5 ms, ' +
      "1 next hop seen in 3 flows; 6 flows would rule out another (95 %). " +
      '3 of 4 flows (75 %) on to 10.0.0.2; 1 of 4 flows (25 %) on to no answer."',
  );
  expect(svg).toContain(">1.5 ms · 25 % lost</text>");
  expect(svg).toContain(">1.5 ms · +?</text>");
  expect(svg).toContain("<title>10.0.0.1 to no answer: 1 of 4 flows (25 %)</title>");
});

test.each([
  [5, "1 next hop seen in 5 flows; 6 flows would rule out another (95 %)", "For 0 of 1 router enough"],
  [6, "1 next hop seen in 6 flows; another is ruled out (95 %).", "For 1 of 1 router enough"],
])("%d flows through one next hop: it is said whether they suffice", (flows, words, sentence) => {
  const svg = svgOf(path([router("10.0.0.1", numbers(flows))], [router("203.0.113.9", numbers(flows))]));
  expect(svg).toContain(words);
  expect(svg).toContain(sentence);
});

test("two next hops take eleven flows; of several destinations nothing is said", () => {
  const hops = (flows: number) => [
    [router("10.0.0.1", numbers(flows))],
    [router("10.0.0.2", [0]), router("10.0.0.3", numbers(flows).slice(1))],
  ];
  expect(svgOf(path(...hops(10)))).toContain("2 next hops seen in 10 flows; 11 flows would");
  expect(svgOf(path(...hops(11)))).toContain("2 next hops seen in 11 flows; another is ruled out (95 %).");
  expect(svgOf(path(...hops(11)), { ...path(...hops(11)), address: "203.0.113.8" })).not.toContain("95 %");
});

test("links are as wide as their share, and dashed into silence", () => {
  const svg = svgOf(branched);
  expect(svg).toMatch(/class="link" d="[^"]*" stroke-width="4.8"/);
  expect(svg).toMatch(/class="link silent" d="[^"]*" stroke-width="2.3"/);
});

test("an AS has a tone, a pattern and its name", () => {
  const own = { asn: 64_500, as_name: "ALPHA" };
  const svg = svgOf(
    path([router("10.0.0.1", [0], own)], [router("203.0.113.9", [0], { ...own, asn: 64_501 })]),
  );
  expect(svg).toContain(">AS64500 ALPHA</text>");
  expect([svg.includes('fill="url(#as0)"'), svg.includes('fill="url(#as1)"')]).toEqual([true, true]);
  expect(count(svg, "<pattern ")).toBe(2);
});

test("a list of nodes can be reached by keys where a script moves the focus", () => {
  const { content } = pathPicture([branched], { isInteractive: true });
  const svg = content.map(({ text }) => text).join("");
  expect([count(svg, 'tabindex="0"'), count(svg, 'tabindex="-1"')]).toEqual([1, 4]);
  expect(count(svg, 'role="listitem"')).toBe(5);
  expect(svgOf(branched)).not.toContain("tabindex");
});

test("foreign text stays text", () => {
  const hostile = `</title><script>alert(1)</script>" onload="\u001b[2J\u202e`;
  const svg = svgOf({
    ...path([router("10.0.0.1", [0], { name: hostile, asn: 1, as_name: hostile, says: hostile })]),
    agent: hostile,
    address: hostile,
  });
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain('" onload');
  expect([svg.includes("\u001b"), svg.includes("\u202e")]).toEqual([false, false]);
});

test("a rank of many is folded until it is opened, and loses no flow", () => {
  const wide = path(
    [router("10.0.0.1", numbers(40))],
    numbers(40).map((i) => router(`10.1.0.${i}`, [i])),
    [router("203.0.113.9", numbers(40))],
  );
  const svg = svgOf(wide);
  expect(count(svg, 'data-ttl="2"')).toBe(rankNodesMax);
  expect(svg).toContain(">29 more routers</text>");
  expect(svg).toContain("29 of 40 flows (72.5 %) on to 29 more routers");
  const open = pictureFile(pathPicture([wide], { open: new Set([2]) }));
  expect(count(open, 'data-ttl="2"')).toBe(40);
  expect(open).not.toContain("more routers");
});

test("many destinations are groups of ASes and prefixes, at most a dozen of a TTL; an opened TTL has all", () => {
  const flows = [0, 1];
  const paths = Array.from({ length: 200 }, (_, k) => {
    const [net, length] = [k % 20, 2 + (k % 5)];
    const asn = net < 5 ? { asn: 64_500 + net, as_name: `NET-${net}` } : {};
    const hops = Array.from({ length }, (_, i) => [router(`10.${net}.${i}.${k}`, flows, asn)]);
    const address = net < 10 ? `203.0.${net}.${k}` : `2001:db8:${net}::${k}`;
    return { ...path([router("192.0.2.1", flows)], ...hops, [router(address, flows, asn)]), address };
  });
  const svg = pictureFile(pathPicture(paths));
  for (let ttl = 1; ttl <= 8; ttl++) {
    expect(count(svg, `data-ttl="${ttl}"`)).toBeLessThanOrEqual(rankNodesMax);
  }
  const labels = [...svg.matchAll(/aria-label="TTL 4: ([^",]*), (\d+) of 400 flows/g)];
  expect(labels.map(([, name]) => name)).toContainEqual("AS64500 NET-0: 10 destinations");
  expect(labels.map(([, name]) => name)).toContainEqual("2001:db8:10::/48: 10 destinations");
  // Each path has a node at TTL 4.
  expect(labels.reduce((sum, [, , own]) => sum + Number(own), 0)).toBe(400);
  const { foldedTtls, ...open } = pathPicture(paths, { open: new Set([4]) });
  expect(foldedTtls).not.toContain(4);
  expect(new Set(foldedTtls).size).toBe(foldedTtls.length);
  expect(count(pictureFile(open), 'data-ttl="4"')).toBe(200);
});

test("10,000 hops are drawn, folded and opened", () => {
  const huge = meshedPath(40, 250, 250);
  expect(pathGraph([huge]).nodes.size).toBe(10_002);
  expect(count(svgOf(huge), 'role="listitem"')).toBe(40 * rankNodesMax + 2);
  const open = pathPicture([huge], { open: new Set(numbers(42)) });
  expect(count(pictureFile(open), 'role="listitem"')).toBe(10_002);
});

test.each(Object.entries(meshes))("%s are drawn", (name, mesh) => {
  const { links } = pathGraph([mesh]);
  expect(`${links.length} links`).toBe(name);
  const open = pathPicture([mesh], { open: new Set(numbers(42)) });
  expect(count(pictureFile(open), '<path class="link"')).toBe(links.length);
});

function numbers(to: number): number[] {
  return Array.from({ length: to }, (_, i) => i);
}

test("what is not drawn is said", () => {
  const many = Array.from({ length: 1000 }, (_, i) => router(`10.0.${i >> 8}.${i & 255}`, [i]));
  const flows = many.map((_, flow) => flow);
  const ends = [router("a", flows), router("203.0.113.9", flows)] as const;
  const { sentence, foldedTtls } = pathPicture([path([ends[0]], many, [ends[1]])]);
  expect(sentence).toEndWith(" Drawn: 256 of 1,000 routers at TTL 2.");
  expect(foldedTtls).toEqual([2]);
  const cut = path([router("a", [0]), router("b", [1])]);
  const hops = cut.hops.map((hop) => ({ ...hop, more_routers: 99_998 }));
  expect(pathPicture([{ ...cut, hops }]).sentence).toEndWith(" Drawn: 2 of 100,000 routers at TTL 1.");
});
