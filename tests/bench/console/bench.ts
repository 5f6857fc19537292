/**
 * How long pictures take: a path graph of 49, 480 and 2,080 links, all ranks open, from paths as the API has them to
 * SVG; and a heat map of the most bins that a view gives. By this runtime, in one process; then in a real Chromium.
 */
import { heatBinsMax } from "../../../lib/answers/results/limits.ts";
import { heatPicture } from "../../../lib/measuring/pictures/charts/heat-picture.ts";
import { type Picture, pictureFile } from "../../../lib/measuring/pictures/look.ts";
import { pathPicture } from "../../../lib/measuring/pictures/path/path-picture.ts";
import { meshes, someBins } from "../../pictures/some-pictures.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { measureInBrowser } from "./in-browser.ts";

const open = new Set(Array.from({ length: 256 }, (_, ttl) => ttl));
const drawsDefault = 20;
/** What a page must bear: the largest measurement that is looked at, and a minute of answers at full speed. */
const browserDefault = {
  ...{ heatAnswers: 10_000_000, liveSec: 60, liveAnswersPerSec: 10_000 },
  series: { series: 50, points: 10_000 },
} as const;
/** With --count nothing is long: it is to see that the bench works. */
const browserSmall = {
  ...{ heatAnswers: 10_000, liveSec: 1, liveAnswersPerSec: 400 },
  series: { series: 3, points: 2000 },
} as const;

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
  const order = options.count === null ? browserDefault : browserSmall;
  const { ms, heapMb, perSec } = await measureInBrowser({ rounds: options.rounds, ...order });
  const all = new Map([...rounds, ...ms]);
  return {
    bench: "console",
    what: `From rows to SVG, mean of ${draws} pictures, and in a browser, median of ${options.rounds} rounds`,
    subjects: [...all.keys(), ...heapMb.keys(), ...perSec.keys()],
    references: [],
    figures: [
      { unit: "ms", decimals: 1, rounds: all },
      { unit: "MB of scripts", decimals: 2, rounds: heapMb },
      { unit: "a second", decimals: 1, rounds: perSec },
    ],
    notes: [
      "Fitted, zoomed: from the press of the button to the painted frame after it. A frame of zooming: the median " +
        "time between frames while each shows another span of all visible plots.",
      "First paint: from the request on, with an empty cache. Shown: from the server's text to boxes in their places.",
      `Answers that arrive: asked for are ${order.liveAnswersPerSec} a second for ${order.liveSec} s, ` +
        "into the store, while the page of their measurement is open. Counted are those in the store, and the " +
        "number that the page shows at last; it draws at most once a second.",
    ],
  };
}
