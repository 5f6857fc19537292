/** Pure libraries: same input, same output, in any test. And the two ways around the type checker. */
import { areaOf, isBuiltin } from "./directions.ts";
import { impureGlobals, pureBuiltins } from "./house.ts";
import type { Edge, Graph } from "./import-graph.ts";
import type { Problem } from "./tree.ts";

/** Uses of the clock, chance, network, disk or process in a pure library. */
export function impurities(graph: Graph): Problem[] {
  const isPure = (path: string) => areaOf(path)?.pure === true;
  const imports = graph.edges
    .filter((edge) => isPure(edge.from) && impureImport(edge))
    .map(
      (edge) =>
        `${edge.from}:${edge.line}: a pure library imports "${edge.specifier}"; take it as an argument`,
    );
  const globals = [...graph.sources]
    .filter(([path]) => isPure(path))
    .flatMap(([path, source]) =>
      source.identifiers
        .filter(({ name }) => impureGlobals.has(name))
        .map(({ name, line }) => `${path}:${line}: a pure library uses ${name}; take it as an argument`),
    );
  return [...imports, ...globals];
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
