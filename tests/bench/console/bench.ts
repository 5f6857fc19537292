/**
 * How long pictures take: a path graph of 49, 480 and 2,080 links, all ranks open, from paths as the API has them to
 * SVG; and a heat map of the most bins that a view gives. By this runtime, in one process.
 */
import { heatPicture } from "../../../lib/pictures/charts/heat-picture.ts";
import { type Picture, pictureFile } from "../../../lib/pictures/look.ts";
import { pathPicture } from "../../../lib/pictures/path/path-picture.ts";
import { heatBinsMax } from "../../../lib/results/limits.ts";
import { meshes, someBins } from "../../pictures/some-pictures.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";

const open = new Set(Array.from({ length: 256 }, (_, ttl) => ttl));
const drawsDefault = 20;

const subjects: readonly { readonly name: string; readonly draw: () => Picture }[] = [
  ...Object.entries(meshes).map(([name, mesh]) => ({
    name: `path graph, ${name}`,
    draw: () => pathPicture([mesh], { open }),
  })),
  { name: `heat map, ${heatBinsMax} bins`, draw: () => heatPicture(someBins(heatBinsMax)) },
];

export async function benchConsole(options: BenchOptions): Promise<BenchReport> {
  const draws = options.count ?? drawsDefault;
  const rounds = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, draw } of subjects) {
      const startedAt = performance.now();
      for (let i = 0; i < draws; i++) {
        pictureFile(draw());
      }
      rounds.get(name)?.push((performance.now() - startedAt) / draws);
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "console",
    what: `From rows to SVG, mean of ${draws} pictures, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [],
    figures: [{ unit: "ms", decimals: 1, rounds }],
    notes: [],
  };
}
