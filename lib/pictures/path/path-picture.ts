/**
 * The path graph as a picture: agents left, destinations right, a column for each TTL. Pure.
 *
 * A link is 1 to 6 pixels wide, by its share of the flows of the node that it leaves; dashed where it leads into
 * silence. A band before each box has the tone and pattern of its AS, whose name stands in the box.
 */
import { type Picture, tonePatterns, tonesMax, tonesOfAsns } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { foldedGraph } from "./fold-graph.ts";
import { graphLayout, type LayeredGraph } from "./graph-layout.ts";
import { type NextHops, nextHopsOf } from "./next-hops.ts";
import { asLine, figureLine, linkText, nameOf, nodeSentence } from "./node-words.ts";
import { type GraphLink, type GraphNode, type PathGraph, pathGraph } from "./path-graph.ts";
import { pathSentence } from "./path-sentence.ts";
import type { PicturedPath } from "./picture-path.ts";

interface PathPictureOptions {
  /** TTLs whose nodes are all shown, however many. */
  readonly open?: ReadonlySet<number>;
  /** The first node can be reached by Tab, the others by a script that moves the focus. */
  readonly isInteractive?: boolean;
}

interface PathPicture extends Picture {
  readonly foldedTtls: readonly number[];
  /** By TTL and address of a router: `3/192.0.2.1`. */
  readonly nextHops: ReadonlyMap<string, NextHops>;
}

const characterPx = 6.7;
const linePx = 14;
const labelCharactersMax = 41;
const gapPx = 38;
const marginPx = 16;
const bandPx = 8;
const headPx = 22;

export function pathPicture(paths: readonly PicturedPath[], options: PathPictureOptions = {}): PathPicture {
  const whole = pathGraph(paths);
  const graph = foldedGraph(whole, options.open ?? new Set());
  const nextHops = nextHopsOf(whole);
  const boxes = placedBoxes(graph, nextHops);
  const onwards = Map.groupBy(graph.links, ({ from }) => from);
  const tones = tonesOfAsns([...graph.nodes.values()].map(({ asn }) => asn));
  const nodes = [...boxes.values()].map((box, i) =>
    nodeMarkup(box, {
      ...{ graph, tones, links: onwards.get(box.node.id) ?? [], nextHops: nextHops.get(box.node.id) },
      tabIndex: options.isInteractive === true ? (i === 0 ? 0 : -1) : undefined,
    }),
  );
  const links = graph.links.flatMap((link) => linkMarkup(link, boxes, graph));
  const all = [...boxes.values()];
  const sentence = pathSentence(whole, nextHops);
  return {
    widthPx: Math.max(0, ...all.map(({ x, width }) => x + width)) + marginPx,
    heightPx: all.reduce((low, { y, height }) => Math.max(low, y + height), headPx) + marginPx,
    sentence,
    nextHops,
    foldedTtls: all.flatMap(({ node }) => (node.kind === "folded" ? [node.ttl] : [])),
    content: [
      tonePatterns("as", Math.min(tonesMax, tones.size)),
      element("g", { "aria-hidden": "true" }, ...headMarkup(all), ...links),
      ...(nodes.length === 0 ? [] : [element("g", { role: "list", "aria-label": "Hops" }, ...nodes)]),
    ],
  };
}

interface Box {
  readonly node: GraphNode;
  readonly lines: readonly string[];
  /** In pixels: the corner at the top left, and the size. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** By column, then from top to bottom. */
function placedBoxes(graph: PathGraph, nextHops: ReadonlyMap<string, NextHops>): Map<string, Box> {
  const ranks = [...Map.groupBy(graph.nodes.values(), ({ ttl }) => ttl)].sort(([a], [b]) => a - b);
  const { heights } = graphLayout(
    layeredOf(
      graph,
      ranks.map(([, rank]) => rank),
    ),
  );
  const texts = new Map(
    [...graph.nodes.values()].map((node) => [node.id, linesOf(node, graph, nextHops.get(node.id))]),
  );
  const lineCount = Math.max(1, ...[...texts.values()].map(({ length }) => length));
  const height = lineCount * linePx + 8;
  const boxes = new Map<string, Box>();
  let x = marginPx;
  for (const [index, [, rank]] of ranks.entries()) {
    const longest = Math.max(...rank.flatMap(({ id }) => texts.get(id) ?? []).map(({ length }) => length));
    const width = longest * characterPx + bandPx + 14;
    const placed = rank.map((node, i) => {
      const y = headPx + marginPx + (heights[index]?.[i] ?? 0) * (height + 10);
      return { node, lines: texts.get(node.id) ?? [], x, y, width, height };
    });
    for (const box of placed.sort((a, b) => a.y - b.y)) {
      boxes.set(box.node.id, box);
    }
    x += width + gapPx;
  }
  return boxes;
}

function linesOf(node: GraphNode, graph: PathGraph, next: NextHops | undefined): string[] {
  const name = node.name === null ? node.label : node.name;
  return [name, figureLine(node, graph, next), asLine(node)]
    .filter((line, i) => i === 0 || line !== "")
    .map((line) => clipped(line, labelCharactersMax));
}

function layeredOf(graph: PathGraph, ranks: readonly (readonly GraphNode[])[]): LayeredGraph {
  const places = new Map(
    ranks.flatMap((rank, r) => rank.map(({ id }, i) => [id, { rank: r, index: i }] as const)),
  );
  const links = ranks.map(() => [] as { from: number; to: number; weight: number }[]);
  for (const { from, to, flows } of graph.links) {
    const [upper, lower] = [places.get(from), places.get(to)];
    if (upper !== undefined && lower !== undefined) {
      links[upper.rank]?.push({ from: upper.index, to: lower.index, weight: flows.size });
    }
  }
  return { sizes: ranks.map(({ length }) => length), links };
}

interface NodeLook {
  readonly graph: PathGraph;
  readonly tones: ReadonlyMap<number, number>;
  readonly links: readonly GraphLink[];
  readonly nextHops: NextHops | undefined;
  readonly tabIndex: number | undefined;
}

function nodeMarkup({ node, lines, x, y, width, height }: Box, look: NodeLook): Markup {
  const { graph, tones, tabIndex } = look;
  const sentence = nodeSentence(node, graph, look);
  const tone = node.asn === null ? undefined : tones.get(node.asn);
  const isSilent = node.kind === "silent" || node.kind === "unprobed";
  const box = `box${isSilent ? " silent" : ""}${node.isTarget ? " target" : ""}`;
  const bandX = x + 3;
  const textX = x + bandPx + 7;
  const top = y + (height - lines.length * linePx) / 2 + 10.5;
  return element(
    "g",
    {
      ...{ class: "node", role: "listitem", "aria-label": sentence, tabindex: tabIndex },
      ...{ "data-ttl": node.ttl, "data-kind": node.kind, "data-label": node.label },
    },
    element("title", {}, sentence),
    element("rect", { class: box, x, y, width, height, rx: 5 }),
    ...(tone === undefined
      ? []
      : [
          element("rect", { x: bandX, y: y + 4, width: bandPx, height: height - 8, fill: `url(#as${tone})` }),
        ]),
    ...lines.map((line, i) =>
      element("text", { class: classOf(i, node), x: textX, y: top + i * linePx }, line),
    ),
  );
}

function classOf(line: number, { kind, says, isTarget }: GraphNode): string {
  const isLoud = line === 0 && (kind === "router" || kind === "agent");
  return says.size > 0 && !isTarget && line === 1 ? "bad" : isLoud ? "ink" : "quiet";
}

function linkMarkup(link: GraphLink, boxes: ReadonlyMap<string, Box>, graph: PathGraph): Markup[] {
  const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = (x2 - x1) / 2;
  const isSilent = [from, to].some(({ node }) => node.kind === "silent" || node.kind === "unprobed");
  const share = link.flows.size / from.node.flows.size;
  const d = `M${px(x1)} ${px(y1)}C${px(x1 + bend)} ${px(y1)} ${px(x2 - bend)} ${px(y2)} ${px(x2)} ${px(y2)}`;
  const title = `${nameOf(link.from, graph)} to ${nameOf(link.to, graph)}: ${linkText(link, from.node)}`;
  return [
    element(
      "path",
      { class: isSilent ? "link silent" : "link", d, "stroke-width": 1 + 5 * share },
      element("title", {}, title),
    ),
  ];
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The TTL above each column. */
function headMarkup(boxes: readonly Box[]): Markup[] {
  const columns = Map.groupBy(boxes, ({ node }) => node.ttl);
  return [...columns].flatMap(([ttl, [first]]) =>
    first === undefined
      ? []
      : [
          element(
            "text",
            { class: "quiet", x: first.x + 2, y: headPx - 6 },
            first.node.kind === "agent" ? "agent" : `TTL ${ttl}`,
          ),
        ],
  );
}
