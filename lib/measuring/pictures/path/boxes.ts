/** Shared by pictures of paths and of links: boxes, a column or row for each TTL, curves between them. Pure. */
import { type Picture, tonePatterns, tonesMax, tonesOfAsns } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { graphLayout } from "./graph-layout.ts";

/** Where packets go: `down`, with a row for each TTL, for narrow screens. */
export type Flow = "right" | "down";

export interface GraphPictureOptions {
  /** Default `right`. */
  readonly flow?: Flow | undefined;
  /** TTLs whose nodes are all shown, however many. */
  readonly open?: ReadonlySet<number>;
  /** The first node is reachable by Tab, the others by a script that moves the focus. */
  readonly isInteractive?: boolean;
}

export interface GraphPicture extends Picture {
  readonly foldedTtls: readonly number[];
}

interface BoxNode {
  readonly id: string;
  readonly ttl: number;
  readonly kind?: string | undefined;
  readonly asn?: number | null | undefined;
}

export interface Box<Node extends BoxNode> {
  /** Its column, or row. */
  readonly rank: number;
  readonly node: Node;
  readonly lines: readonly string[];
  /** In pixels: the corner at the top left, and the size. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Link {
  readonly from: string;
  readonly to: string;
}

const characterPx = 6.7;
const linePx = 14;
const labelCharactersMax = 41;
const gapPx = 38;
/** Between boxes of a rank. */
const betweenPx = 10;
export const marginPx = 16;
const bandPx = 8;
const headPx = 22;

interface BoxesOrder<Node, Own extends Link> {
  readonly nodes: Iterable<Node>;
  readonly links: readonly Own[];
  readonly weightOf: (link: Own) => number;
  /** The lines in a box, as long as they are. */
  readonly linesOf: (node: Node) => readonly string[];
  /** Boxes have room for at least this many lines, or for those of the fullest box. */
  readonly linesMin: number;
  readonly flow: Flow;
}

/** By rank, then from top to bottom, or from left to right. */
export function placedBoxes<Node extends BoxNode, Own extends Link>(
  order: BoxesOrder<Node, Own>,
): Map<string, Box<Node>> {
  const columns = [...Map.groupBy(order.nodes, ({ ttl }) => ttl)]
    .sort(([a], [b]) => a - b)
    .map(([, column]) =>
      column.map((node) => ({
        node,
        lines: order.linesOf(node).map((line) => clipped(line, labelCharactersMax)),
      })),
    );
  const { heights } = graphLayout({
    sizes: columns.map(({ length }) => length),
    links: linksByColumn(
      columns.map((column) => column.map(({ node }) => node.id)),
      order,
    ),
  });
  const lineCount = columns.flat().reduce((most, { lines }) => Math.max(most, lines.length), order.linesMin);
  const height = lineCount * linePx + 8;
  const widths = columns.map(widthOf);
  const widest = Math.max(0, ...widths);
  const boxes = new Map<string, Box<Node>>();
  let x = marginPx;
  for (const [rank, column] of columns.entries()) {
    const width = widths[rank] ?? 0;
    const placed = column.map(({ node, lines }, i) => {
      const place = heights[rank]?.[i] ?? 0;
      const corner =
        order.flow === "right"
          ? { x, y: headPx + marginPx + place * (height + betweenPx) }
          : {
              // Narrower boxes stand in the middle of a chain.
              x: marginPx + place * (widest + betweenPx) + (widest - width) / 2,
              y: headPx + marginPx + rank * (height + gapPx),
            };
      return { node, lines, ...corner, width, height, rank };
    });
    for (const box of placed.sort((a, b) => a.y - b.y || a.x - b.x)) {
      boxes.set(box.node.id, box);
    }
    x += width + gapPx;
  }
  return boxes;
}

function widthOf(rank: readonly { readonly lines: readonly string[] }[]): number {
  const longest = rank.flatMap(({ lines }) => lines).reduce((most, { length }) => Math.max(most, length), 0);
  return longest * characterPx + bandPx + 14;
}

/**
 * Only links between neighbouring columns order nodes; longer ones belong to routers that replied at several TTLs.
 */
function linksByColumn<Own extends Link>(
  columns: readonly (readonly string[])[],
  { links, weightOf }: Pick<BoxesOrder<never, Own>, "links" | "weightOf">,
) {
  const places = new Map(
    columns.flatMap((ids, rank) => ids.map((id, index) => [id, { rank, index }] as const)),
  );
  const byColumn = columns.map(() => [] as { from: number; to: number; weight: number }[]);
  for (const link of links) {
    const [upper, lower] = [places.get(link.from), places.get(link.to)];
    if (upper !== undefined && lower !== undefined && lower.rank === upper.rank + 1) {
      byColumn[upper.rank]?.push({ from: upper.index, to: lower.index, weight: weightOf(link) });
    }
  }
  return byColumn;
}

interface BoxLook {
  readonly sentence: string;
  readonly kind: string;
  readonly label: string;
  readonly isSilent: boolean;
  readonly isTarget: boolean;
  readonly classOf: (line: number) => string;
}

interface GraphOrder<Node extends BoxNode> {
  readonly boxes: readonly Box<Node>[];
  readonly links: readonly Markup[];
  readonly sentence: string;
  /** The name of the list of nodes, for screen readers. */
  readonly listName: string;
  readonly isInteractive: boolean;
  readonly flow: Flow;
  readonly look: (node: Node) => BoxLook;
}

export function graphPicture<Node extends BoxNode>(order: GraphOrder<Node>): GraphPicture {
  const { boxes, links, sentence, listName, isInteractive, flow, look } = order;
  // A page can have both.
  const fill = flow === "right" ? "as" : "as-down";
  const tones = tonesOfAsns(boxes.map(({ node }) => node.asn ?? null));
  const nodes = boxes.map((box, i) => {
    const tabIndex = isInteractive ? (i === 0 ? 0 : -1) : undefined;
    const tone = box.node.asn == null ? undefined : tones.get(box.node.asn);
    return boxMarkup(box, look(box.node), { fill: tone === undefined ? null : `${fill}${tone}`, tabIndex });
  });
  return {
    widthPx: boxes.reduce((most, { x, width }) => Math.max(most, x + width), 0) + marginPx,
    heightPx: boxes.reduce((low, { y, height }) => Math.max(low, y + height), headPx) + marginPx,
    sentence,
    foldedTtls: [...new Set(boxes.flatMap(({ node }) => (node.kind === "folded" ? [node.ttl] : [])))],
    content: [
      tonePatterns(fill, Math.min(tonesMax, tones.size)),
      element("g", { "aria-hidden": "true" }, ...headMarkup(boxes, flow), ...links),
      ...(nodes.length === 0 ? [] : [element("g", { role: "list", "aria-label": listName }, ...nodes)]),
    ],
  };
}

function boxMarkup<Node extends BoxNode>(
  { node, lines, x, y, width, height }: Box<Node>,
  { sentence, kind, label, isSilent, isTarget, classOf }: BoxLook,
  { fill, tabIndex }: { readonly fill: string | null; readonly tabIndex: number | undefined },
): Markup {
  const box = `box${isSilent ? " silent" : ""}${isTarget ? " target" : ""}`;
  const top = y + (height - lines.length * linePx) / 2 + 10.5;
  const band = { x: x + 3, y: y + 4, width: bandPx, height: height - 8 };
  return element(
    "g",
    {
      ...{ class: "node", role: "listitem", "aria-label": sentence, tabindex: tabIndex },
      ...{ "data-ttl": node.ttl, "data-kind": kind, "data-label": label },
    },
    element("title", {}, sentence),
    element("rect", { class: box, x, y, width, height, rx: 5 }),
    ...(fill === null ? [] : [element("rect", { ...band, fill: `url(#${fill})` })]),
    ...lines.map((line, i) =>
      element("text", { class: classOf(i), x: x + bandPx + 7, y: top + i * linePx }, line),
    ),
  );
}

interface Curve {
  readonly flow: Flow;
  /** Length of its ends along the flow, in pixels. */
  readonly bend: number;
  /** How far it sags beside its ends, in pixels. */
  readonly bow: number;
  /** Its share of the flows of the node that it leaves: 0 to 1. */
  readonly share: number;
  readonly isDashed: boolean;
  readonly title: string;
}

type Rectangle = Pick<Box<BoxNode>, "x" | "y" | "width" | "height">;

/** The middles of the sides that face each other: right and left, or lower and upper; and how far apart they are. */
export function curveEnds(from: Rectangle, to: Rectangle, flow: Flow) {
  const [x1, y1, x2, y2] =
    flow === "right"
      ? [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2]
      : [from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y];
  return { x1, y1, x2, y2, apart: flow === "right" ? x2 - x1 : y2 - y1 };
}

export function curveMarkup(
  from: Rectangle,
  to: Rectangle,
  { flow, bend, bow, share, isDashed, title }: Curve,
): Markup {
  const { x1, y1, x2, y2 } = curveEnds(from, to, flow);
  const [dx, dy] = flow === "right" ? [bend, 0] : [0, bend];
  const [bowX, bowY] = flow === "right" ? [0, bow] : [bow, 0];
  const bends = `${px(x1 + dx + bowX)} ${px(y1 + dy + bowY)} ${px(x2 - dx + bowX)} ${px(y2 - dy + bowY)}`;
  return element(
    "path",
    {
      class: isDashed ? "link silent" : "link",
      d: `M${px(x1)} ${px(y1)}C${bends} ${px(x2)} ${px(y2)}`,
      "stroke-width": 1 + 5 * share,
    },
    element("title", {}, title),
  );
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The TTL above each column, or above the first box of each row. */
function headMarkup(boxes: readonly Box<BoxNode>[], flow: Flow): Markup[] {
  return [...Map.groupBy(boxes, ({ node }) => node.ttl)].flatMap(([ttl, [first]]) => {
    const head = first?.node.kind === "agent" ? "agent" : `TTL ${ttl}`;
    return first === undefined
      ? []
      : [
          element(
            "text",
            { class: "quiet", x: first.x + 2, y: flow === "right" ? headPx - 6 : first.y - 6 },
            head,
          ),
        ];
  });
}
