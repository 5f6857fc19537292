/** Zooming in the console: a large path graph, and many long time series. */

import { pictureElement } from "../../../lib/measuring/pictures/look.ts";
import { pathPicture } from "../../../lib/measuring/pictures/path/path-picture.ts";
import type { Tab } from "../../browser/tab.ts";
import { until } from "../../exchange/until.ts";
import { meshes } from "../../pictures/some-pictures.ts";
import type { ConsoleRig } from "./console-rig.ts";

const open = new Set(Array.from({ length: 256 }, (_, ttl) => ttl));
const zoomSteps = 60;

interface ZoomFigures {
  readonly fitMs: number;
  readonly zoomMs: number;
  /** Median time of a frame while all visible plots are zoomed in each. */
  readonly frameMs: number;
}

export async function zoomFigures(rig: ConsoleRig, { series, points }: SeriesSize): Promise<ZoomFigures> {
  const mesh = meshes["2080 links"];
  const svg = pictureElement(
    pathPicture(mesh === undefined ? [] : [mesh], { open, isInteractive: true }),
  ).text;
  const graph = await rig.openWith(
    `<figure class="picture-frame"><div class="scroll" data-graph>${svg}</div></figure>`,
  );
  await until("the tools", () => graph.eval<boolean>("document.querySelector('.tools') !== null"));
  const fitMs = await pressMs(graph, "Fit");
  const zoomMs = await pressMs(graph, "Zoom in");
  await graph.close();
  const data = JSON.stringify(seriesOf({ series, points })).replaceAll('"', "&quot;");
  const plots = await rig.openWith(`<div data-series="${data}" data-events="[]"></div>`);
  await until("the plots", () => plots.eval<boolean>("document.querySelectorAll('.plot canvas').length > 1"));
  const frameMs = await zoomFrameMs(plots);
  await plots.close();
  return { fitMs, zoomMs, frameMs };
}

/** From the press on until the browser has laid it out and painted. */
function pressMs(tab: Tab, label: string): Promise<number> {
  return tab.eval(`new Promise((resolve) => requestAnimationFrame(() => {
    const startedAt = performance.now();
    document.querySelector('.tools [aria-label="${label}"]').click();
    document.querySelector("svg").getBoundingClientRect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
  }))`);
}

/** A wheel of zooms: in each frame all time or one week, by the buttons above the plots. */
function zoomFrameMs(tab: Tab): Promise<number> {
  return tab.eval(`new Promise((resolve) => {
    const buttons = ["All", "1 week"].map((word) =>
      [...document.querySelectorAll(".tools button")].find(({ textContent }) => textContent === word));
    const times = [];
    const step = (now) => {
      times.push(now);
      if (times.length > ${zoomSteps}) {
        const frames = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
        resolve(frames[Math.floor(frames.length / 2)]);
        return;
      }
      buttons[times.length % 2].click();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

export interface SeriesSize {
  readonly series: number;
  readonly points: number;
}

/** A run each 10 minutes, with times that rise and fall. */
function seriesOf({ series, points }: SeriesSize) {
  return Array.from({ length: series }, (_, k) => {
    const medianMs = Array.from(
      { length: points },
      (_, i) => Math.round(10 * (20 + k + 5 * Math.sin(i / 90)) + (i % 7)) / 10,
    );
    return {
      name: `agent-${k} to 203.0.113.${k}`,
      atSec: medianMs.map((_, i) => 1_769_000_000 + 600 * i),
      run: medianMs.map((_, i) => i),
      lowMs: medianMs.map((ms) => ms - 1),
      medianMs,
      highMs: medianMs.map((ms) => ms + 2),
      lossPercent: medianMs.map((_, i) => (i % 100 < 3 ? 12.5 : 0)),
    };
  });
}
