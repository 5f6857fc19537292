/** The calendar of a campaign's runs: a row for each UTC day, a mark at the time of each run. Pure. */
import type { Picture } from "../look.ts";
import { element, type Markup } from "../markup.ts";
import { chartWidthPx, timeText } from "./scales.ts";

interface CalendarRun {
  readonly run: number;
  /** The last of several consecutive skipped runs. */
  readonly last_run: number;
  /** RFC 3339. */
  readonly planned_at: string;
  readonly state: string;
  readonly reason: string | null;
}

const [left, width, rowPx, top, dayMs] = [96, chartWidthPx, 22, 30, 86_400_000];
/** Further days are in the table only. */
const daysMax = 31;

/** A class of the style sheet, and a height with the same meaning without colour. */
const styles: Readonly<Record<string, readonly [fill: string, heightPx: number]>> = {
  ...{ done: ["tone-2", 14], open: ["tone-0", 14], refused: ["loss", 6], missed: ["loss", 6] },
};
const otherLook = ["tone-7", 6] as const;

export function runsPicture(runs: readonly CalendarRun[]): Picture {
  const days = [...Map.groupBy(runs, ({ planned_at: at }) => timeText(Date.parse(at)).slice(0, 10))]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, daysMax);
  return {
    widthPx: left + width + 24,
    heightPx: top + Math.max(1, days.length) * rowPx + 12,
    sentence: sentenceOf(runs),
    content: [
      ...hours(),
      ...days.map(([day, own], i) =>
        element(
          "g",
          { role: "list", "aria-label": `Runs of ${day}` },
          element(
            "text",
            { class: "quiet", x: left - 12, y: top + i * rowPx + 15, "text-anchor": "end" },
            day,
          ),
          ...own.map((run) => mark(run, top + i * rowPx)),
        ),
      ),
    ],
  };
}

function sentenceOf(runs: readonly CalendarRun[]): string {
  if (runs.length === 0) {
    return "No run yet.";
  }
  const counts = Map.groupBy(runs, ({ state }) => state);
  const words = [...counts].map(([state, own]) => {
    const sum = own.reduce((all, { run, last_run: last }) => all + last - run + 1, 0);
    return `${sum} ${state}`;
  });
  return `The latest runs: ${words.join(", ")}.`;
}

function hours(): Markup[] {
  return [0, 6, 12, 18, 24].map((hour) =>
    element(
      "text",
      { class: "quiet", x: left + (width * hour) / 24, y: 16, "text-anchor": "middle" },
      hour === 24 ? "UTC" : `${String(hour).padStart(2, "0")}:00`,
    ),
  );
}

function mark({ run, last_run: last, planned_at: at, state, reason }: CalendarRun, y: number): Markup {
  const [fill, height] = styles[state] ?? otherLook;
  const x = left + (width * (Date.parse(at) % dayMs)) / dayMs;
  const name = last === run ? `Run ${run}` : `Runs ${run} to ${last}`;
  const why = reason === null ? "" : `, ${reason}`;
  const title = `${name}, ${timeText(Date.parse(at)).slice(0, 19)} UTC: ${state}${why}`;
  return element(
    "g",
    { role: "listitem", "aria-label": title },
    element("title", {}, title),
    element("rect", { class: fill, x: x - 1.5, y: y + 18 - height, width: 3, height }),
  );
}
