/**
 * Routers and the links between them as a picture: a column for each TTL, the lowest at which a router answered. Pure.
 *
 * A link is 1 to 6 pixels wide, by its share of the flows of the node that it leaves; dashed where it leads into
 * silence. A band before each box has the tone and pattern of its AS. Where two measurements are compared, `+` stands
 * on a link that appeared and `−` on one that is gone, which is dashed too.
 */

import { counted } from "../counts.ts";
import { element, type Markup } from "../markup.ts";
import {
  type Box,
  curveMarkup,
  type GraphPicture,
  type GraphPictureOptions,
  graphPicture,
  marginPx,
  placedBoxes,
} from "../path/boxes.ts";
import { foldedColumns } from "./folded-links.ts";
import { boxLines, graphSentence, nodeSentence, stateWords } from "./link-words.ts";
import { labelOf, type PicturedGraph, type PicturedLink, type PicturedNode } from "./pictured-graph.ts";

/** How far a link across columns bows out below their boxes, at its ends and so three quarters in its middle. */
const bowPx = 60;

type Boxes = ReadonlyMap<string, Box<PicturedNode>>;

export function linkPicture(whole: PicturedGraph, options: GraphPictureOptions = {}): GraphPicture {
  const graph = foldedColumns(whole, options.open ?? new Set());
  const boxes = placedBoxes({
    ...graph,
    weightOf: ({ flows }) => Math.max(1, flows),
    linesOf: boxLines,
    linesMin: 3,
  });
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const onwards = Map.groupBy(graph.links, ({ from }) => from);
  const picture = graphPicture({
    boxes: [...boxes.values()],
    links: graph.links.flatMap((link) => linkMarkup(link, boxes)),
    sentence: graphSentence(whole),
    listName: "Routers",
    isInteractive: options.isInteractive === true,
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
  return { ...picture, heightPx: picture.heightPx + (isBowed ? marginPx : 0) };
}

function isSilent({ address, kind }: PicturedNode): boolean {
  return address === null && kind === undefined;
}

const marks = { appeared: "+", gone: "−", both: "" } as const;

function linkMarkup(link: PicturedLink, boxes: Boxes): Markup[] {
  const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const mark = marks[link.state ?? "both"];
  return [
    curveMarkup(from, to, {
      bend: Math.max(30, Math.abs(x2 - x1) / 2),
      bow: passes(from, to) ? bowPx : 0,
      share: Math.min(1, link.flows / Math.max(1, from.node.flows)),
      isDashed: link.state === "gone" || isSilent(to.node),
      title: `${labelOf(from.node)} to ${labelOf(to.node)}: ${counted(link.flows, "flow")}${stateWords(link)}`,
    }),
    ...(mark === ""
      ? []
      : [element("text", { class: "ink", x: (x1 + x2) / 2 - 3, y: (y1 + y2) / 2 - 3 }, mark)]),
  ];
}

/** Whether columns lie between: a straight link would hide behind their boxes. */
function passes(from: Box<PicturedNode> | undefined, to: Box<PicturedNode> | undefined): boolean {
  return (to?.column ?? 0) - (from?.column ?? 0) > 1;
}
