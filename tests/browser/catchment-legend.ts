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
