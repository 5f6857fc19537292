/** The graph in other programs' formats: DOT, GraphML, and as a picture. */
import type { ProgramWriters } from "../../measuring/formats/forms.ts";
import { dotOf, type FormedGraph, graphmlOf } from "../../measuring/formats/graph-forms.ts";
import { linkPicture } from "../../measuring/pictures/links/link-picture.ts";
import type { PicturedGraph } from "../../measuring/pictures/links/pictured-graph.ts";
import { pictureFile } from "../../measuring/pictures/look.ts";

/** Rows have the schema of the view; without one the graph is empty. */
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
