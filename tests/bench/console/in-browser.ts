/** The console in a real browser: first paint, large pictures, answers that arrive while somebody looks. */
import { heatBinsMax } from "../../../lib/answers/results/limits.ts";
import { heatPicture } from "../../../lib/measuring/pictures/charts/heat-picture.ts";
import { type Picture, pictureElement } from "../../../lib/measuring/pictures/look.ts";
import { pathPicture } from "../../../lib/measuring/pictures/path/path-picture.ts";
import type { Tab } from "../../browser/tab.ts";
import { until } from "../../exchange/until.ts";
import { meshes, someBins } from "../../pictures/some-pictures.ts";
import { ConsoleRig } from "./console-rig.ts";
import { type SeriesSize, zoomFigures } from "./zooms.ts";

interface BrowserOrder {
  readonly rounds: number;
  /** Answers behind the heat map. */
  readonly heatAnswers: number;
  readonly liveSec: number;
  readonly liveAnswersPerSec: number;
  readonly series: SeriesSize;
}

interface LiveFigures {
  /** What scripts hold when garbage was collected, before and after answers have come for so long. */
  readonly heapMb: ReadonlyMap<string, readonly number[]>;
  /** Counted: answers by the store and by the page, and how often the page drew their number anew. */
  readonly perSec: ReadonlyMap<string, readonly number[]>;
}

interface BrowserFigures extends LiveFigures {
  /** By subject, a value a round. */
  readonly ms: ReadonlyMap<string, readonly number[]>;
}

const open = new Set(Array.from({ length: 256 }, (_, ttl) => ttl));
const insertsPerSec = 4;

export async function measureInBrowser(order: BrowserOrder): Promise<BrowserFigures> {
  await using rig = await ConsoleRig.start();
  const ms = new Map<string, number[]>();
  const note = (subject: string, value: number) => ms.set(subject, [...(ms.get(subject) ?? []), value]);
  const heatId = await rig.measurement();
  await rig.answer(heatId, order.heatAnswers, 3600);
  await rig.end(heatId);
  for (let round = 0; round < order.rounds; round++) {
    const start = await rig.open("console");
    note("start, first paint", await firstPaintMs(start));
    const [mesh] = [meshes["2080 links"]].flatMap((one) => (one === undefined ? [] : [one]));
    note(
      "path graph, 2080 links, shown",
      await shownMs(start, pathPicture(mesh === undefined ? [] : [mesh], { open })),
    );
    note(`heat map, ${heatBinsMax} bins, shown`, await shownMs(start, heatPicture(someBins(heatBinsMax))));
    await start.close();
    const heat = await rig.open(`console/measurements/${heatId}?view=heatmap`);
    note(`heat map of ${order.heatAnswers} answers, first paint`, await firstPaintMs(heat));
    await heat.close();
    const { fitMs, zoomMs, frameMs } = await zoomFigures(rig, order.series);
    note("path graph, 2080 links, fitted", fitMs);
    note("path graph, 2080 links, zoomed", zoomMs);
    note(`${order.series.series} series of ${order.series.points}, a frame of zooming`, frameMs);
  }
  return { ms, ...(await whileLive(rig, order)) };
}

/** From the first request on; the server's time is in it. */
function firstPaintMs(tab: Tab): Promise<number> {
  return until("a first paint", () =>
    tab.eval<number | null>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"),
  );
}

/** From the server's text to boxes that have their places. */
function shownMs(tab: Tab, picture: Picture): Promise<number> {
  return tab.eval(`(() => {
    const text = ${JSON.stringify(pictureElement(picture).text)};
    const place = document.createElement("div");
    document.querySelector("main").append(place);
    const startedAt = performance.now();
    place.innerHTML = text;
    place.querySelector("svg").getBoundingClientRect();
    return performance.now() - startedAt;
  })()`);
}

/** Notes each number of answers that the page shows, when it changes. */
const watchAnswers = `(() => {
  const shown = () => [...document.querySelectorAll("#progress dt")]
    .find((one) => one.textContent === "Answers")?.nextElementSibling.textContent.replaceAll(",", "");
  answersDrawn = [];
  let before = shown();
  new MutationObserver(() => {
    const now = shown();
    if (now !== undefined && now !== before) {
      before = now;
      answersDrawn.push(Number(now));
    }
  }).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
})()`;

/** Answers come at the same rate all the time, whatever the page does; what arrived and was drawn is counted. */
async function whileLive(rig: ConsoleRig, order: BrowserOrder): Promise<LiveFigures> {
  const { liveSec, liveAnswersPerSec } = order;
  const id = await rig.measurement();
  const tab = await rig.open(`console/measurements/${id}?view=loss`);
  await tab.eval(watchAnswers);
  const heapMb = new Map<string, number[]>();
  const beats = liveSec * insertsPerSec;
  const startedAt = performance.now();
  for (let beat = 0; beat <= beats; beat++) {
    await rig.answer(id, Math.round(liveAnswersPerSec / insertsPerSec), 1 / insertsPerSec);
    // A tenth of the time is for what a page has at last, whatever comes.
    if (beat === Math.ceil(beats / 10)) {
      heapMb.set("answers that arrive, at the start", [(await tab.heapBytes()) / 1e6]);
    }
    await Bun.sleep(Math.max(0, startedAt + ((beat + 1) * 1000) / insertsPerSec - performance.now()));
  }
  const arrivedSec = (performance.now() - startedAt) / 1000;
  const answers = (beats + 1) * Math.round(liveAnswersPerSec / insertsPerSec);
  const stored = await rig.stored(id);
  if (stored !== answers) {
    throw new Error(`The store has ${stored} of ${answers} answers that were sent to it`);
  }
  const drawn = await until("all answers on the page", async () => {
    const numbers = await tab.eval<number[]>("answersDrawn");
    return numbers.at(-1) === answers && numbers;
  });
  const drawnSec = (performance.now() - startedAt) / 1000;
  heapMb.set("answers that arrive, at the end", [(await tab.heapBytes()) / 1e6]);
  return {
    heapMb,
    perSec: new Map([
      ["answers that arrive, in the store", [stored / arrivedSec]],
      ["answers that arrive, on the page", [answers / drawnSec]],
      ["draws of the page while they arrive", [drawn.length / drawnSec]],
    ]),
  };
}
