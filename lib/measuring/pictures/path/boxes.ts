/** Shared by pictures of paths and of links: boxes, a column for each TTL, curves between them. Pure. */
import { type Picture, tonePatterns, tonesMax, tonesOfAsns } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { graphLayout } from "./graph-layout.ts";

export interface GraphPictureOptions {
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
  readonly column: number;
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
}

/** By column, then from top to bottom. */
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
  const boxes = new Map<string, Box<Node>>();
  let x = marginPx;
  for (const [index, column] of columns.entries()) {
    const longest = column
      .flatMap(({ lines }) => lines)
      .reduce((most, line) => Math.max(most, line.length), 0);
    const width = longest * characterPx + bandPx + 14;
    const placed = column.map(({ node, lines }, i) => {
      const y = headPx + marginPx + (heights[index]?.[i] ?? 0) * (height + 10);
      return { node, lines, x, y, width, height, column: index };
    });
    for (const box of placed.sort((a, b) => a.y - b.y)) {
      boxes.set(box.node.id, box);
    }
    x += width + gapPx;
  }
  return boxes;
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
  readonly look: (node: Node) => BoxLook;
}

export function graphPicture<Node extends BoxNode>(order: GraphOrder<Node>): GraphPicture {
  const { boxes, links, sentence, listName, isInteractive, look } = order;
  const tones = tonesOfAsns(boxes.map(({ node }) => node.asn ?? null));
  const nodes = boxes.map((box, i) => {
    const tabIndex = isInteractive ? (i === 0 ? 0 : -1) : undefined;
    const tone = box.node.asn == null ? undefined : tones.get(box.node.asn);
    return boxMarkup(box, look(box.node), { tone, tabIndex });
  });
  return {
    widthPx: boxes.reduce((most, { x, width }) => Math.max(most, x + width), 0) + marginPx,
    heightPx: boxes.reduce((low, { y, height }) => Math.max(low, y + height), headPx) + marginPx,
    sentence,
    foldedTtls: [...new Set(boxes.flatMap(({ node }) => (node.kind === "folded" ? [node.ttl] : [])))],
    content: [
      tonePatterns("as", Math.min(tonesMax, tones.size)),
      element("g", { "aria-hidden": "true" }, ...headMarkup(boxes), ...links),
      ...(nodes.length === 0 ? [] : [element("g", { role: "list", "aria-label": listName }, ...nodes)]),
    ],
  };
}

function boxMarkup<Node extends BoxNode>(
  { node, lines, x, y, width, height }: Box<Node>,
  { sentence, kind, label, isSilent, isTarget, classOf }: BoxLook,
  { tone, tabIndex }: { readonly tone: number | undefined; readonly tabIndex: number | undefined },
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
    ...(tone === undefined ? [] : [element("rect", { ...band, fill: `url(#as${tone})` })]),
    ...lines.map((line, i) =>
      element("text", { class: classOf(i), x: x + bandPx + 7, y: top + i * linePx }, line),
    ),
  );
}

interface Curve {
  /** Length of its level ends, in pixels. */
  readonly bend: number;
  /** How far it sags below its ends, in pixels. */
  readonly bow: number;
  /** Its share of the flows of the node that it leaves: 0 to 1. */
  readonly share: number;
  readonly isDashed: boolean;
  readonly title: string;
}

type Rectangle = Pick<Box<BoxNode>, "x" | "y" | "width" | "height">;

/** From the right side of a box to the left side of another. */
export function curveMarkup(
  from: Rectangle,
  to: Rectangle,
  { bend, bow, share, isDashed, title }: Curve,
): Markup {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bends = `${px(x1 + bend)} ${px(y1 + bow)} ${px(x2 - bend)} ${px(y2 + bow)}`;
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

/** The TTL above each column. */
function headMarkup(boxes: readonly Box<BoxNode>[]): Markup[] {
  return [...Map.groupBy(boxes, ({ node }) => node.ttl)].flatMap(([ttl, [first]]) => {
    const head = first?.node.kind === "agent" ? "agent" : `TTL ${ttl}`;
    return first === undefined
      ? []
      : [element("text", { class: "quiet", x: first.x + 2, y: headPx - 6 }, head)];
  });
}
