/** The legend of a catchment: what each site heard, and its share of all, are those of the API's rows. */
import { expect } from "bun:test";

type CatchmentRow = Readonly<Record<string, string | number>>;

export function mustSayShares(text: string, rows: readonly CatchmentRow[]): void {
  const sumOf = (own: readonly CatchmentRow[]) => own.reduce((sum, { replies }) => sum + Number(replies), 0);
  for (const [site, own] of Map.groupBy(rows, ({ heard_by: heardBy }) => String(heardBy))) {
    const share = Number(((100 * sumOf(own)) / sumOf(rows)).toFixed(2));
    expect(text).toContain(`${site} ${sumOf(own)} (${share} %)`);
  }
}

/** A row of `replies?with=geo`, from a set that knows countries. */
export interface PlacedReply {
  readonly agent_id: string;
  readonly geo: { readonly country: string } | null;
}

/** The map and its table have each country with the site that heard it, and as many answers as the API has. */
export function mustSayPlaces(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  replies: readonly PlacedReply[],
): void {
  const placed = replies.filter(({ geo }) => geo !== null);
  const places = Map.groupBy(placed, ({ agent_id: site, geo }) => JSON.stringify([geo?.country, site]));
  expect(places.size).toBeGreaterThan(1);
  for (const [key, own] of places) {
    const [country, site] = JSON.parse(key) as [string, string];
    expect(titles).toContain(`${country}: ${own.length} replies received by ${site}`);
    expect(cells).toContainEqual([country, expect.any(String), site, String(own.length)]);
  }
}
