/** Links known by number of replies: steep while most replies show something new. Pure. */
import { counted, grouped } from "../counts.ts";
import type { Picture } from "../look.ts";
import { element, type Markup } from "../markup.ts";
import { chartWidthPx, type Frame, tenths } from "./scales.ts";

export interface GrowthPoint {
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** Replies up to `time`. */
  readonly answers: number;
  readonly links: number;
}

const frame: Frame = { left: 72, top: 24, width: chartWidthPx, height: 220 };
const [axisPx, ticks] = [46, 4];

/** `points`: by time, counts never falling. */
export function growthPicture(points: readonly GrowthPoint[]): Picture {
  const last = points.at(-1);
  const [answers, links] = [Math.max(1, last?.answers ?? 0), Math.max(1, last?.links ?? 0)];
  const { left, top, width, height } = frame;
  const x = (count: number) => left + (width * count) / answers;
  const y = (count: number) => top + height * (1 - count / links);
  const line = points.map((point) => `L${tenths(x(point.answers))} ${tenths(y(point.links))}`).join("");
  return {
    widthPx: left + width + 32,
    heightPx: top + height + axisPx,
    sentence: growthSentence(points),
    content: [
      ...gridMarkup(answers, links, x, y),
      element("path", { class: "line", d: `M${left} ${top + height}${line}` }),
    ],
  };
}

/** `120 links after 1000 answers; the last 10 % of the answers added 3.` */
function growthSentence(points: readonly GrowthPoint[]): string {
  const last = points.at(-1);
  if (last === undefined) {
    return "No answer yet.";
  }
  const before = points.findLast(({ answers }) => answers <= 0.9 * last.answers)?.links ?? 0;
  return (
    `${counted(last.links, "link")} after ${counted(last.answers, "answer")}; ` +
    `the last 10 % of the answers added ${last.links === before ? "none" : grouped(last.links - before)}.`
  );
}

function gridMarkup(
  answers: number,
  links: number,
  x: (count: number) => number,
  y: (count: number) => number,
): Markup[] {
  const { left, top, width, height } = frame;
  const steps = Array.from({ length: ticks + 1 }, (_, i) => i / ticks);
  return [
    ...steps.flatMap((part) => {
      const [across, up] = [Math.round(part * answers), Math.round(part * links)];
      return [
        element("path", {
          class: "axis",
          d: `M${left} ${tenths(y(up))}H${left + width}`,
          "stroke-width": 0.5,
        }),
        element("text", { class: "quiet", x: left - 8, y: y(up) + 4, "text-anchor": "end" }, grouped(up)),
        element(
          "text",
          { class: "quiet", x: x(across), y: top + height + 17, "text-anchor": "middle" },
          grouped(across),
        ),
      ];
    }),
    element(
      "text",
      { class: "quiet", x: left + width / 2, y: top + height + 36, "text-anchor": "middle" },
      "answers",
    ),
    element("text", { class: "quiet", x: 4, y: top - 12 }, "links"),
  ];
}
