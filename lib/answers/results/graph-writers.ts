/** The graph as files of other programs: DOT, GraphML, and a picture of its own. */
import type { ProgramWriters } from "../../measuring/formats/forms.ts";
import { dotOf, type FormedGraph, graphmlOf } from "../../measuring/formats/graph-forms.ts";
import { linkPicture } from "../../measuring/pictures/links/link-picture.ts";
import type { PicturedGraph } from "../../measuring/pictures/links/pictured-graph.ts";
import { pictureFile } from "../../measuring/pictures/look.ts";

/** Rows have the schema of the view; without one there is an empty graph. */
export const graphWriters = {
  dot: textOf((graph) => dotOf(graph)),
  graphml: textOf((graph) => graphmlOf(graph)),
  svg: textOf((graph) => pictureFile(linkPicture(graph))),
} as const satisfies ProgramWriters;

function textOf(write: (graph: FormedGraph & PicturedGraph) => string) {
  return () => {
    let hasGraph = false;
    const written = (graph: FormedGraph & PicturedGraph) => Buffer.from(write(graph));
    return {
      row: (row: object) => {
        hasGraph = true;
        return written(row as FormedGraph & PicturedGraph);
      },
      end: () => (hasGraph ? new Uint8Array() : written({ nodes: [], links: [], is_cut: false })),
    };
  };
}
