/** Pure rooms: same input, same output, in any test. And the two ways around the type checker. */
import { isBuiltin, reachable, roomOf } from "./directions.ts";
import { impureGlobals, pureBuiltins } from "./house.ts";
import type { Edge, Graph } from "./import-graph.ts";
import type { Problem } from "./tree.ts";

/** Uses of the clock, chance, network, disk or process in a pure room, or in what such a room imports. */
export function impurities(graph: Graph): Problem[] {
  const pure = pureFiles(graph);
  const advice = (path: string) => `; ${pure.get(path)} is pure: take it as an argument`;
  const imports = graph.edges
    .filter((edge) => pure.has(edge.from) && impureImport(edge))
    .map(({ from, line, specifier }) => `${from}:${line}: imports "${specifier}"${advice(from)}`);
  const globals = [...graph.sources]
    .filter(([path]) => pure.has(path))
    .flatMap(([path, source]) =>
      source.identifiers
        .filter(({ name }) => impureGlobals.has(name))
        .map(({ name, line }) => `${path}:${line}: uses ${name}${advice(path)}`),
    );
  return [...imports, ...globals];
}

/** Files of pure rooms and what they build on, each with the room. Imports of types are erased. */
function pureFiles({ edges, sources }: Graph): Map<string, string> {
  const behind = reachable(edges.filter(({ typeOnly }) => !typeOnly));
  return new Map(
    [...sources.keys()].flatMap((path) => {
      const room = roomOf(path);
      return room?.pure === true ? [path, ...behind(path)].map((one) => [one, room.path] as const) : [];
    }),
  );
}

function impureImport(edge: Edge): boolean {
  const names = pureBuiltins[edge.specifier];
  return isBuiltin(edge.specifier) && !edge.names.every((name) => names?.includes(name));
}

/** `any` and comments that silence the compiler, anywhere. */
export function untyped(graph: Graph): Problem[] {
  return [...graph.sources].flatMap(([path, source]) => [
    ...source.anyTypeLines.map((line) => `${path}:${line}: the type any; say what it is, or unknown`),
    ...source.suppressionLines.map(
      (line) => `${path}:${line}: a comment silences the compiler; fix the type`,
    ),
  ]);
}
