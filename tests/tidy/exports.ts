/**
 * Exports that nobody asks for: each one is a promise to readers that somebody else needs it.
 *
 * A test counts as a user, also the one beside the file: what a test tries has to be reachable. Who takes a whole
 * module (`import * as`, `import()`) uses all of it.
 */
import { exportedToOthers } from "./house.ts";
import type { Edge, Graph } from "./import-graph.ts";
import type { Problem } from "./tree.ts";

export function lonelyExports(graph: Graph): Problem[] {
  const used = usedNames(graph.edges);
  return [...graph.sources].flatMap(([path, { exports }]) => {
    const names = used.get(path) ?? new Set();
    const isKept = path.endsWith(".d.ts") || exportedToOthers.some((start) => path.startsWith(start));
    return isKept || names.has("*")
      ? []
      : exports
          .filter(({ name }) => !names.has(name))
          .map(
            ({ name, line }) =>
              `${path}:${line}: exports ${name}, which no other file names; take the word away`,
          );
  });
}

/** By file, what others take of it. */
function usedNames(edges: readonly Edge[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { to, names } of edges) {
    if (to !== null) {
      used.set(to, new Set([...(used.get(to) ?? []), ...names]));
    }
  }
  return used;
}
