/** The import graph of the project: which file each import means, and the rules about its shape. */
import { posix } from "node:path";
import { entryFiles, scriptSources } from "./house.ts";
import { type Import, readSource, type Source } from "./source.ts";
import { isTest, type Problem, type Tree } from "./tree.ts";

export interface Edge extends Import {
  readonly from: string;
  /** Path of a file of the project, or null: a package, a built-in module, or nothing at all. */
  readonly to: string | null;
}

export interface Graph {
  readonly tree: Tree;
  readonly sources: ReadonlyMap<string, Source>;
  readonly edges: readonly Edge[];
}

export function readGraph(tree: Tree): Graph {
  const paths = [...tree.keys()].filter((path) => /\.tsx?$/.test(path));
  const sources = new Map(paths.map((path) => [path, readSource(path, tree.get(path) ?? "")]));
  const edges = [...sources].flatMap(([from, source]) =>
    source.imports.map((one) => ({ ...one, from, to: resolve(tree, from, one.specifier) })),
  );
  return { tree, sources, edges };
}

/** AssemblyScript leaves the extension out; everything else names the file. */
function resolve(tree: Tree, from: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) {
    return null;
  }
  const path = posix.join(posix.dirname(from), specifier);
  const found = [path, `${path}.ts`, `${path}/index.ts`].find((candidate) => tree.has(candidate));
  return found ?? null;
}

/** Cycles among files, each told once. Imports of types count: what is described in a circle is one file. */
export function cycles(graph: Graph): Problem[] {
  const next = neighbours(graph.edges);
  const done = new Set<string>();
  const trail: string[] = [];
  const problems: Problem[] = [];
  const walk = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      const circle = [...trail.slice(at), path].join(" -> ");
      problems.push(`${path}: imports itself in a circle: ${circle}; move what both need into a third file`);
    }
    if (at >= 0 || done.has(path)) {
      return;
    }
    trail.push(path);
    next.get(path)?.forEach(walk);
    trail.pop();
    done.add(path);
  };
  [...graph.sources.keys()].forEach(walk);
  return problems;
}

/** Files that no entry, test or script reaches, by import or by name (`new URL("./worker.ts", …)`). */
export function unreached(graph: Graph): Problem[] {
  const next = neighbours(graph.edges);
  const reached = new Set<string>();
  const queue = [...entries(graph)];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (!reached.has(path)) {
      reached.add(path);
      queue.push(...(next.get(path) ?? []), ...namedBy(graph, path));
    }
  }
  return (
    [...graph.sources.keys()]
      // A declaration file is found by the compiler, not by an import.
      .filter((path) => !reached.has(path) && !path.endsWith(".d.ts"))
      .map((path) => `${path}: no command, worker, script or test reaches it; use it or remove it`)
  );
}

function entries(graph: Graph): string[] {
  const scripts = scriptSources.flatMap((path) => graph.tree.get(path)?.match(/[\w./-]+\.ts\b/g) ?? []);
  const all = [...graph.sources.keys()];
  return all.filter((path) => isTest(path) || entryFiles.includes(path) || scripts.includes(path));
}

/** A file named in a string, from the folder of the file that names it or from the root. */
function namedBy(graph: Graph, from: string): string[] {
  return (graph.sources.get(from)?.namedFiles ?? [])
    .flatMap((name) => [posix.join(posix.dirname(from), name), posix.normalize(name)])
    .filter((path) => graph.sources.has(path));
}

function neighbours(edges: readonly Edge[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (to !== null) {
      next.set(from, [...(next.get(from) ?? []), to]);
    }
  }
  return next;
}
