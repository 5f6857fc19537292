/**
 * Routers and the links between them as a picture: a column for each TTL, the lowest at which a router answered. Pure.
 *
 * A link is 1 to 6 pixels wide, by its share of the flows of the node that it leaves; dashed where it leads into
 * silence. A band before each box has the tone and pattern of its AS. Where two measurements are compared, `+` stands
 * on a link that appeared and `−` on one that is gone, which is dashed too.
 */
import { type Picture, tonePatterns, tonesMax, tonesOfAsns } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { graphLayout, type LayeredGraph } from "../path/graph-layout.ts";
import { foldedColumns } from "./folded-links.ts";
import { boxLines, counted, graphSentence, nodeSentence, stateWords } from "./link-words.ts";
import { labelOf, type PicturedGraph, type PicturedLink, type PicturedNode } from "./pictured-graph.ts";

interface LinkPictureOptions {
  /** TTLs whose nodes are all shown, however many. */
  readonly open?: ReadonlySet<number>;
  /** The first node can be reached by Tab, the others by a script that moves the focus. */
  readonly isInteractive?: boolean;
}

interface LinkPicture extends Picture {
  readonly foldedTtls: readonly number[];
}

const characterPx = 6.7;
const linePx = 14;
const labelCharactersMax = 41;
const gapPx = 38;
const marginPx = 16;
const bandPx = 8;
const headPx = 22;

/** How far a link that passes columns bows out below their boxes, at its ends and so three quarters in its middle. */
const bowPx = 60;

interface Box {
  readonly column: number;
  readonly node: PicturedNode;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function linkPicture(whole: PicturedGraph, options: LinkPictureOptions = {}): LinkPicture {
  const graph = foldedColumns(whole, options.open ?? new Set());
  const boxes = placedBoxes(graph);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const onwards = Map.groupBy(graph.links, ({ from }) => from);
  const tones = tonesOfAsns(graph.nodes.map(({ asn }) => asn));
  const all = [...boxes.values()];
  const drawn = all.map((box, i) => {
    const own = onwards.get(box.node.id) ?? [];
    const tabIndex = options.isInteractive === true ? (i === 0 ? 0 : -1) : undefined;
    return nodeMarkup(box, { sentence: nodeSentence(box.node, own, nodes), tones, tabIndex });
  });
  const links = graph.links.flatMap((link) => linkMarkup(link, boxes));
  const isBowed = graph.links.some(({ from, to }) => passes(boxes.get(from), boxes.get(to)));
  const bowedPx = isBowed ? marginPx : 0;
  return {
    widthPx: all.reduce((most, { x, width }) => Math.max(most, x + width), 0) + marginPx,
    heightPx: all.reduce((low, { y, height }) => Math.max(low, y + height), headPx) + marginPx + bowedPx,
    sentence: graphSentence(whole),
    foldedTtls: all.flatMap(({ node }) => (node.kind === "folded" ? [node.ttl] : [])),
    content: [
      tonePatterns("as", Math.min(tonesMax, tones.size)),
      element("g", { "aria-hidden": "true" }, ...headMarkup(all), ...links),
      ...(drawn.length === 0 ? [] : [element("g", { role: "list", "aria-label": "Routers" }, ...drawn)]),
    ],
  };
}

/** By column, then from top to bottom. */
function placedBoxes(graph: PicturedGraph): Map<string, Box> {
  const columns = [...Map.groupBy(graph.nodes, ({ ttl }) => ttl)]
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column);
  const { heights } = graphLayout(layeredOf(graph.links, columns));
  const height = 3 * linePx + 8;
  const boxes = new Map<string, Box>();
  let x = marginPx;
  for (const [index, column] of columns.entries()) {
    const placed = column.map((node, i) => {
      const lines = boxLines(node).map((line) => clipped(line, labelCharactersMax));
      return { node, lines, x, y: headPx + marginPx + (heights[index]?.[i] ?? 0) * (height + 10), height };
    });
    const longest = placed.reduce(
      (most, { lines }) => lines.reduce((a, { length }) => Math.max(a, length), most),
      0,
    );
    const width = longest * characterPx + bandPx + 14;
    for (const box of placed.sort((a, b) => a.y - b.y)) {
      boxes.set(box.node.id, { ...box, width, column: index });
    }
    x += width + gapPx;
  }
  return boxes;
}

/** Links between columns that are not neighbours, as of a router that answered at several TTLs, order nothing. */
function layeredOf(
  given: readonly PicturedLink[],
  columns: readonly (readonly PicturedNode[])[],
): LayeredGraph {
  const places = new Map(
    columns.flatMap((column, rank) => column.map(({ id }, index) => [id, { rank, index }] as const)),
  );
  const links = columns.map(() => [] as { from: number; to: number; weight: number }[]);
  for (const { from, to, flows } of given) {
    const [upper, lower] = [places.get(from), places.get(to)];
    if (upper !== undefined && lower !== undefined && lower.rank === upper.rank + 1) {
      links[upper.rank]?.push({ from: upper.index, to: lower.index, weight: Math.max(1, flows) });
    }
  }
  return { sizes: columns.map(({ length }) => length), links };
}

interface NodeLook {
  readonly sentence: string;
  readonly tones: ReadonlyMap<number, number>;
  readonly tabIndex: number | undefined;
}

function nodeMarkup(
  { node, lines, x, y, width, height }: Box,
  { sentence, tones, tabIndex }: NodeLook,
): Markup {
  const tone = node.asn == null ? undefined : tones.get(node.asn);
  const isSilent = node.address === null && node.kind === undefined;
  const box = `box${isSilent ? " silent" : ""}${node.is_destination === true ? " target" : ""}`;
  const top = y + (height - lines.length * linePx) / 2 + 10.5;
  return element(
    "g",
    {
      ...{ class: "node", role: "listitem", "aria-label": sentence, tabindex: tabIndex },
      ...{ "data-ttl": node.ttl, "data-kind": node.kind ?? "router", "data-label": labelOf(node) },
    },
    element("title", {}, sentence),
    element("rect", { class: box, x, y, width, height, rx: 5 }),
    ...(tone === undefined
      ? []
      : [
          element("rect", { x: x + 3, y: y + 4, width: bandPx, height: height - 8, fill: `url(#as${tone})` }),
        ]),
    ...lines.map((line, i) =>
      element("text", { class: i === 0 ? "ink" : "quiet", x: x + bandPx + 7, y: top + i * linePx }, line),
    ),
  );
}

const marks = { appeared: "+", gone: "−", both: "" } as const;

function linkMarkup(link: PicturedLink, boxes: ReadonlyMap<string, Box>): Markup[] {
  const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  const share = Math.min(1, link.flows / Math.max(1, from.node.flows));
  const isDashed = link.state === "gone" || (to.node.address === null && to.node.kind === undefined);
  const bow = passes(from, to) ? bowPx : 0;
  const bends = `${px(x1 + bend)} ${px(y1 + bow)} ${px(x2 - bend)} ${px(y2 + bow)}`;
  const d = `M${px(x1)} ${px(y1)}C${bends} ${px(x2)} ${px(y2)}`;
  const title = `${labelOf(from.node)} to ${labelOf(to.node)}: ${counted(link.flows, "flow")}${stateWords(link)}`;
  const mark = marks[link.state ?? "both"];
  return [
    element(
      "path",
      { class: isDashed ? "link silent" : "link", d, "stroke-width": 1 + 5 * share },
      element("title", {}, title),
    ),
    ...(mark === ""
      ? []
      : [element("text", { class: "ink", x: (x1 + x2) / 2 - 3, y: (y1 + y2) / 2 - 3 }, mark)]),
  ];
}

/** Whether columns lie between: a straight link would hide behind their boxes. */
function passes(from: Box | undefined, to: Box | undefined): boolean {
  return (to?.column ?? 0) - (from?.column ?? 0) > 1;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The TTL above each column. */
function headMarkup(boxes: readonly Box[]): Markup[] {
  return [...Map.groupBy(boxes, ({ node }) => node.ttl)].flatMap(([ttl, [first]]) =>
    first === undefined
      ? []
      : [element("text", { class: "quiet", x: first.x + 2, y: headPx - 6 }, `TTL ${ttl}`)],
  );
}
