/** @jsxImportSource hono/jsx */
/** Agents on a map, by the country in their attributes; the table beside it has them all. */
import { countryPlaces } from "../../../../lib/measuring/pictures/map/country-places.ts";
import { type MapPoint, mapPicture } from "../../../../lib/measuring/pictures/map/map-picture.ts";
import { PictureFrame } from "../../parts/picture.tsx";

interface PlacedAgent {
  readonly id: string;
  readonly country: string | null;
  readonly isHealthy: boolean;
}

interface AgentsMapProps {
  readonly agents: readonly PlacedAgent[];
  /** Path of the land's outline. */
  readonly land: string;
}

/** Green, blue and red of the pictures; the numbers beside each point contain the same. */
const tones = { all: 2, some: 0, none: 4 } as const;
const namesMax = 10;

export function AgentsMap({ agents, land }: AgentsMapProps) {
  const placed = [...Map.groupBy(agents, ({ country }) => country?.toUpperCase() ?? "")];
  const most = Math.max(1, ...placed.map(([, own]) => own.length));
  const points = placed.flatMap(([country, own]) => pointsOf(country, own, most));
  const unplaced = placed
    .filter(([country]) => !countryPlaces.has(country))
    .reduce((sum, [, own]) => sum + own.length, 0);
  const sentence =
    `${agents.length - unplaced} agents in ${points.length} ${points.length === 1 ? "country" : "countries"}, each ` +
    `drawn in the middle of its country, with how many are healthy.` +
    (unplaced === 0 ? "" : ` Of ${unplaced} the country is not known.`);
  return points.length === 0 ? null : (
    <PictureFrame picture={mapPicture(points, { sentence, land })} name="Map" />
  );
}

function pointsOf(country: string, own: readonly PlacedAgent[], most: number): MapPoint[] {
  const place = countryPlaces.get(country);
  if (place === undefined) {
    return [];
  }
  const healthy = own.filter(({ isHealthy }) => isHealthy).length;
  const count = `${healthy} of ${own.length}`;
  const names = own.slice(0, namesMax).map(({ id, isHealthy }) => (isHealthy ? id : `${id} (not healthy)`));
  const more = own.length > namesMax ? ` and ${own.length - namesMax} more` : "";
  return [
    {
      ...{ place, shape: "circle", share: own.length / most },
      tone: healthy === own.length ? tones.all : healthy === 0 ? tones.none : tones.some,
      label: `${country} ${healthy}/${own.length}`,
      title: `${country}: ${count} healthy: ${names.join(", ")}${more}`,
    },
  ];
}
