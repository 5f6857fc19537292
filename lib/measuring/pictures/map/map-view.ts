/** The part of the Earth that a map shows: all of its points, with a margin, and little more. Pure. */
import { mapHeightPx, mapWidthPx } from "./land.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** In pixels of the land's file; a picture's pixel is `scale` of them. */
interface MapView {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** The size of every map. */
export const [viewWidthPx, viewHeightPx] = [1080, 440] as const;

const ratio = viewHeightPx / viewWidthPx;
/** Margin for labels, and to show the surroundings of the points. */
const roomPx = 36;
/** The outline has no more detail than this. */
const narrowestPx = 300;

export function mapViewOf(points: readonly Point[]): MapView {
  const [west, east] = endsOf(
    points.map(({ x }) => x),
    mapWidthPx,
  );
  const [north, south] = endsOf(
    points.map(({ y }) => y),
    mapHeightPx,
  );
  const widest = Math.max(mapWidthPx, mapHeightPx / ratio);
  const wanted = Math.max(east - west + 2 * roomPx, (south - north + 2 * roomPx) / ratio, narrowestPx);
  const width = Math.min(widest, points.length === 0 ? widest : wanted);
  return {
    left: within((west + east - width) / 2, mapWidthPx - width),
    top: within((north + south - width * ratio) / 2, mapHeightPx - width * ratio),
    scale: viewWidthPx / width,
  };
}

function endsOf(values: readonly number[], whole: number): readonly [number, number] {
  return values.length === 0
    ? [0, whole]
    : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}

/** Clamps `start` to 0 … `most`; centres where `most` is negative. */
function within(start: number, most: number): number {
  return most < 0 ? most / 2 : Math.min(most, Math.max(0, start));
}
