/**
 * Routers and the links between them as a picture: a column (or row) for each TTL, the lowest at which a router
 * answered. Pure.
 *
 * A link is 1 to 6 pixels wide, by its share of the flows of the node that it leaves; dashed where it leads into
 * silence. A band before each box has the tone and pattern of its AS. Where two measurements are compared, `+` stands
 * on a link that appeared and `−` on one that is gone, which is dashed too.
 */

import { counted } from "../counts.ts";
import { element, type Markup } from "../markup.ts";
import {
  type Box,
  curveEnds,
  curveMarkup,
  type Flow,
  type GraphPicture,
  type GraphPictureOptions,
  graphPicture,
  marginPx,
  placedBoxes,
} from "../path/boxes.ts";
import { foldedColumns } from "./folded-links.ts";
import { boxLines, graphSentence, nodeSentence, stateWords } from "./link-words.ts";
import { labelOf, type PicturedGraph, type PicturedLink, type PicturedNode } from "./pictured-graph.ts";

/** How far a link across ranks bows out beside their boxes, at its ends and so three quarters in its middle. */
const bowPx = 60;

type Boxes = ReadonlyMap<string, Box<PicturedNode>>;

export function linkPicture(whole: PicturedGraph, options: GraphPictureOptions = {}): GraphPicture {
  const graph = foldedColumns(whole, options.open ?? new Set());
  const { flow = "right" } = options;
  const boxes = placedBoxes({
    ...graph,
    weightOf: ({ flows }) => Math.max(1, flows),
    linesOf: boxLines,
    linesMin: 3,
    flow,
  });
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const onwards = Map.groupBy(graph.links, ({ from }) => from);
  const picture = graphPicture({
    boxes: [...boxes.values()],
    links: graph.links.flatMap((link) => linkMarkup(link, boxes, flow)),
    sentence: graphSentence(whole),
    listName: "Routers",
    isInteractive: options.isInteractive === true,
    flow,
    look: (node) => ({
      sentence: nodeSentence(node, onwards.get(node.id) ?? [], nodes),
      kind: node.kind ?? "router",
      label: labelOf(node),
      isSilent: isSilent(node),
      isTarget: node.is_destination === true,
      classOf: (line) => (line === 0 ? "ink" : "quiet"),
    }),
  });
  const isBowed = graph.links.some(({ from, to }) => passes(boxes.get(from), boxes.get(to)));
  const [right, down] = flow === "right" ? [0, marginPx] : [marginPx, 0];
  return isBowed
    ? { ...picture, widthPx: picture.widthPx + right, heightPx: picture.heightPx + down }
    : picture;
}

function isSilent({ address, kind }: PicturedNode): boolean {
  return address === null && kind === undefined;
}

const marks = { appeared: "+", gone: "−", both: "" } as const;

function linkMarkup(link: PicturedLink, boxes: Boxes, flow: Flow): Markup[] {
  const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const { x1, y1, x2, y2, apart } = curveEnds(from, to, flow);
  const mark = marks[link.state ?? "both"];
  return [
    curveMarkup(from, to, {
      flow,
      bend: Math.max(30, Math.abs(apart) / 2),
      bow: passes(from, to) ? bowPx + (flow === "right" ? 0 : Math.max(from.width, to.width) / 2) : 0,
      share: Math.min(1, link.flows / Math.max(1, from.node.flows)),
      isDashed: link.state === "gone" || isSilent(to.node),
      title: `${labelOf(from.node)} to ${labelOf(to.node)}: ${counted(link.flows, "flow")}${stateWords(link)}`,
    }),
    ...(mark === ""
      ? []
      : [element("text", { class: "ink", x: (x1 + x2) / 2 - 3, y: (y1 + y2) / 2 - 3 }, mark)]),
  ];
}

/** Whether ranks lie between: a straight link would hide behind their boxes. */
function passes(from: Box<PicturedNode> | undefined, to: Box<PicturedNode> | undefined): boolean {
  return (to?.rank ?? 0) - (from?.rank ?? 0) > 1;
}
