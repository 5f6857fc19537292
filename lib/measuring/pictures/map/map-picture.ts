/** Points on a map of the Earth, each with its label; the land is a file of its own. Pure. */
import { type Picture, tonePatterns, tonesMax } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import type { Place } from "./country-places.ts";
import { landIn, pointOf } from "./land.ts";
import { mapViewOf, viewHeightPx, viewWidthPx } from "./map-view.ts";

export interface MapPoint {
  readonly place: Place;
  /** 0 to `tonesMax` - 1. */
  readonly tone: number;
  /** In a catchment, a square is one of our sites, a circle the origin of what it receives. */
  readonly shape: "circle" | "square";
  /** Area relative to the largest, from 0 to 1. */
  readonly share: number;
  /** Shown beside the point where it fits; empty = none. */
  readonly label: string;
  readonly title: string;
}

/** More labels would hide each other; the table has them all. */
const labelsMax = 24;
const labelCharactersMax = 24;
const [smallestPx, largestPx, characterPx] = [4, 14, 6.7];

interface MapWords {
  readonly sentence: string;
  /** Path of the file of `landFile`, relative to the page. */
  readonly land: string;
}

/** Draws larger circles below smaller ones, and squares on top. */
export function mapPicture(points: readonly MapPoint[], { sentence, land }: MapWords): Picture {
  const ordered = points.toSorted((a, b) => order(a) - order(b) || b.share - a.share);
  const isLabelled = points.filter(({ label }) => label !== "").length <= labelsMax;
  const { left, top, scale } = mapViewOf(points.map(({ place }) => pointOf(place)));
  const transform = `scale(${scale}) translate(${-left} ${-top})`;
  const at = ({ place }: MapPoint) => {
    const { x, y } = pointOf(place);
    return { x: (x - left) * scale, y: (y - top) * scale };
  };
  return {
    widthPx: viewWidthPx,
    heightPx: viewHeightPx,
    sentence,
    content: [
      tonePatterns("place", tonesMax),
      element("use", { href: landIn(land), class: "land", "aria-hidden": "true", transform }),
      ...(points.length === 0
        ? []
        : [
            element(
              "g",
              { role: "list", "aria-label": "Places" },
              ...ordered.map((point) => drawn(point, at(point), isLabelled)),
            ),
          ]),
    ],
  };
}

/** Pixels of the picture. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

function order({ shape }: MapPoint): number {
  return shape === "square" ? 1 : 0;
}

function drawn({ tone, shape, share, label, title }: MapPoint, { x, y }: Spot, isLabelled: boolean): Markup {
  const radius = Math.max(smallestPx, largestPx * Math.sqrt(share));
  const fill = `url(#place${Math.min(tone, tonesMax - 1)})`;
  const mark =
    shape === "circle"
      ? element("circle", { class: "spot", fill, cx: x, cy: y, r: radius })
      : element("rect", { class: "spot", fill, x: x - 6, y: y - 6, width: 12, height: 12 });
  return element(
    "g",
    { role: "listitem", "aria-label": title },
    element("title", {}, title),
    mark,
    ...(isLabelled && label !== "" ? [words(label, x, y, shape === "circle" ? radius : 6)] : []),
  );
}

/** The label, right of the point, or left of it at the map's edge. */
function words(label: string, x: number, y: number, radius: number): Markup {
  const text = clipped(label, labelCharactersMax);
  const isLeft = x + radius + 3 + text.length * characterPx > viewWidthPx;
  return element(
    "text",
    {
      ...{ class: "ink halo", x: isLeft ? x - radius - 3 : x + radius + 3, y: y + 4 },
      ...(isLeft ? { "text-anchor": "end" } : {}),
    },
    text,
  );
}
