/**
 * The land of the Earth as an outline, and the position of a point in it: the projection is "natural earth", the
 * outline that of Natural Earth 1:110m (public domain) as in world-atlas. Pure.
 */
import { geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import outline from "world-atlas/land-110m.json" with { type: "json" };
import { element } from "../markup.ts";
import type { Place } from "./country-places.ts";

export const [mapWidthPx, mapHeightPx] = [720, 370] as const;

type Topology = Parameters<typeof feature>[0];

/** Names the outline in its file. */
const landId = "land";

const projection = geoNaturalEarth1().fitExtent(
  [
    [4, 4],
    [mapWidthPx - 4, mapHeightPx - 4],
  ],
  { type: "Sphere" },
);

/** Pixels from the corner at the top left. */
export function pointOf({ latitude, longitude }: Place): { readonly x: number; readonly y: number } {
  const [x = 0, y = 0] = projection([longitude, latitude]) ?? [];
  return { x, y };
}

/** A file that pages' pictures refer to: the same for all of them. */
export function landFile(): string {
  const { objects } = outline as unknown as Topology;
  const path = geoPath(projection).digits(1);
  const land =
    objects.land === undefined ? null : path(feature(outline as unknown as Topology, objects.land));
  const size = { width: mapWidthPx, height: mapHeightPx, viewBox: `0 0 ${mapWidthPx} ${mapHeightPx}` };
  const drawn = element("path", { id: landId, d: land ?? "" });
  return `${element("svg", { xmlns: "http://www.w3.org/2000/svg", ...size }, drawn).text}\n`;
}

/** The outline within its file. */
export function landIn(address: string): string {
  return `${address}#${landId}`;
}
