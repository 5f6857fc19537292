/**
 * The path graph as a picture: agents left, destinations right, a column for each TTL; or from top to bottom. Pure.
 *
 * A link is 1 to 6 pixels wide, by its share of the flows of the node that it leaves; dashed where it leads into
 * silence. A band before each box has the tone and pattern of its AS, which is named in the box.
 */
import { atOnce, type Steps } from "../../../base/list/steps.ts";
import type { Markup } from "../markup.ts";
import {
  type Box,
  curveEnds,
  curveMarkup,
  type Flow,
  type GraphPicture,
  type GraphPictureOptions,
  graphPicture,
  placedBoxes,
} from "./boxes.ts";
import { foldedGraph } from "./fold-graph.ts";
import { type NextHops, nextHopsOf } from "./next-hops.ts";
import { asLine, figureLine, linkText, nameOf, nodeSentence } from "./node-words.ts";
import { type GraphLink, type GraphNode, type PathGraph, pathGraphSteps } from "./path-graph.ts";
import { pathSentence } from "./path-sentence.ts";
import type { PicturedPath } from "./picture-path.ts";

interface PathPicture extends GraphPicture {
  /** By TTL and address of a router: `3/192.0.2.1`. */
  readonly nextHops: ReadonlyMap<string, NextHops>;
}

export function pathPicture(paths: readonly PicturedPath[], options?: GraphPictureOptions): PathPicture {
  return atOnce(pathPictureSteps(paths, options));
}

/** The same in steps: a malicious agent can write a path with 100,000 flows. */
export function* pathPictureSteps(
  paths: readonly PicturedPath[],
  options: GraphPictureOptions = {},
): Steps<PathPicture> {
  const whole = yield* pathGraphSteps(paths);
  const graph = foldedGraph(whole, options.open ?? new Set());
  yield;
  const nextHops = nextHopsOf(whole);
  const { flow = "right" } = options;
  yield;
  const boxes = placedBoxes({
    nodes: graph.nodes.values(),
    links: graph.links,
    weightOf: ({ flows }) => flows.size,
    linesOf: (node) => linesOf(node, graph, nextHops.get(node.id)),
    linesMin: 1,
    flow,
  });
  const onwards = Map.groupBy(graph.links, ({ from }) => from);
  const picture = graphPicture({
    boxes: [...boxes.values()],
    links: graph.links.flatMap((link) => linkMarkup(link, boxes, { graph, flow })),
    sentence: pathSentence(whole, nextHops),
    listName: "Hops",
    isInteractive: options.isInteractive === true,
    flow,
    look: (node) => ({
      sentence: nodeSentence(node, graph, {
        links: onwards.get(node.id) ?? [],
        nextHops: nextHops.get(node.id),
      }),
      kind: node.kind,
      label: node.label,
      isSilent: isSilent(node),
      isTarget: node.isTarget,
      classOf: (line) => classOf(line, node),
    }),
  });
  return { ...picture, nextHops };
}

function linesOf(node: GraphNode, graph: PathGraph, next: NextHops | undefined): string[] {
  const name = node.name === null ? node.label : node.name;
  return [name, figureLine(node, graph, next), asLine(node)].filter((line, i) => i === 0 || line !== "");
}

function isSilent({ kind }: GraphNode): boolean {
  return kind === "silent" || kind === "unprobed";
}

function classOf(line: number, { kind, says, isTarget }: GraphNode): string {
  const isLoud = line === 0 && (kind === "router" || kind === "agent");
  return says.size > 0 && !isTarget && line === 1 ? "bad" : isLoud ? "ink" : "quiet";
}

function linkMarkup(
  link: GraphLink,
  boxes: ReadonlyMap<string, Box<GraphNode>>,
  { graph, flow }: { readonly graph: PathGraph; readonly flow: Flow },
): Markup[] {
  const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
  if (from === undefined || to === undefined) {
    return [];
  }
  return [
    curveMarkup(from, to, {
      flow,
      bend: curveEnds(from, to, flow).apart / 2,
      bow: 0,
      share: link.flows.size / from.node.flows.size,
      isDashed: isSilent(from.node) || isSilent(to.node),
      title: `${nameOf(link.from, graph)} to ${nameOf(link.to, graph)}: ${linkText(link, from.node)}`,
    }),
  ];
}
