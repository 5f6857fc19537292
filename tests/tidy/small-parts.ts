/** Small files that one file beside them imports: a reader of the one has to open the other. */
import { posix } from "node:path";
import { roomOf } from "./directions.ts";
import { mergedFileLinesMax, smallFileLines, smallFiles } from "./house.ts";
import type { Graph } from "./import-graph.ts";
import { testsRoom } from "./rooms.ts";
import type { Problem } from "./tree.ts";

/**
 * Files of the product that belong into their only importer. A file that is loaded when it is needed stays alone, and
 * one with tests of its own.
 */
export function smallParts({ tree, sources, edges }: Graph): Problem[] {
  const linesOf = (path: string) => (tree.get(path) ?? "").split("\n").length - 1;
  const importers = Map.groupBy(
    edges.filter(({ from }) => roomOf(from) !== testsRoom),
    ({ to }) => to,
  );
  return [...sources.keys()].flatMap((path) => {
    const [first, ...others] = importers.get(path) ?? [];
    const isPart =
      first !== undefined &&
      !first.isLazy &&
      others.every(({ from }) => from === first.from) &&
      posix.dirname(first.from) === posix.dirname(path) &&
      roomOf(path) !== testsRoom &&
      !tree.has(path.replace(/\.ts$/, ".test.ts")) &&
      linesOf(path) <= smallFileLines &&
      linesOf(path) + linesOf(first.from) < mergedFileLinesMax &&
      !smallFiles.includes(path);
    const why = `${linesOf(path)} lines that only ${first?.from} imports`;
    return isPart ? [`${path}: ${why}; move them there (exceptions: smallFiles in tests/tidy/house.ts)`] : [];
  });
}
