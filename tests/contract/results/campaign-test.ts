/** What the views of a campaign show, beside the oracle. */
import { expect } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import type { ResultSource } from "../../../lib/answers/results/result-source.ts";
import { comparedLinksView } from "../../../lib/answers/results/views/links.ts";
import { type ViewName, viewOf } from "../../../lib/answers/results/views.ts";
import type { CampaignRun, ReplyFilter } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import { inTier } from "../../run/tier.ts";
import { asFarAs, comparable } from "./close-to.ts";
import { expectedHeatmap } from "./heat-oracle.ts";
import { expectedChangedLinks, expectedGraph, expectedLinks, expectedNodes } from "./link-oracle.ts";
import { rowsOfMeasurement } from "./oracle.ts";
import { randomRows } from "./random-rows.ts";
import { joined, laterEach, type RawRows } from "./raw-rows.ts";
import { routedRows } from "./routed-rows.ts";
import { expectedChanges, expectedSeries } from "./series-oracle.ts";
import { expectedTrend } from "./trend-oracle.ts";

async function linksAgainst(source: ResultSource, measurementId: string, other: string): Promise<unknown[]> {
  const query = { filter: { measurementId }, against: { measurementId: other }, limit: null };
  const { texts } = await source.ask(comparedLinksView, query, "ndjson");
  const lines = Buffer.concat(await Array.fromAsync(texts))
    .toString()
    .split("\n")
    .slice(0, -1);
  const rows = lines.map((line): unknown => JSON.parse(line));
  expect(rows.filter((row) => !v.is(comparedLinksView.schema, row))).toEqual([]);
  return rows;
}

/** A campaign that may be asked for, and its runs. */
export interface ShownCampaign {
  readonly filter: ReplyFilter;
  readonly runs: readonly CampaignRun[];
}

interface CampaignSource {
  readonly source: ResultSource;
  readonly fill: (rows: RawRows) => Promise<void>;
  readonly campaign: ShownCampaign;
}

/** `hasLinks`: its graphs and heat map too, which a measurement has like a campaign. */
export async function checkCampaign(running: CampaignSource, hasLinks: boolean): Promise<void> {
  const { filter, runs } = running.campaign;
  const stores = runs.map(({ measurementId }, i) =>
    fc.sample(randomRows(measurementId), { numRuns: 2, seed: 11 + i }),
  );
  for (const place of inTier({ usual: [0], long: [0, 1] })) {
    const routed = runs.map(({ measurementId }, i) => routedRows(measurementId, 1 + i + 10 * place));
    const each = stores.map((own, i) => joined(own[place], routed[i]));
    await running.fill(laterEach(each));
    const own = laterEach(each, new Set(runs.map(({ measurementId }) => measurementId)));
    const rows = async (view: ViewName, more: ReplyFilter = {}) => {
      const query = { filter: { ...filter, ...more }, limit: null };
      const { texts } = await running.source.ask(viewOf(view), query, "ndjson");
      const lines = Buffer.concat(await Array.fromAsync(texts))
        .toString()
        .split("\n")
        .slice(0, -1);
      return lines.map((line): unknown => JSON.parse(line));
    };
    const series = expectedSeries(own, runs);
    expect(asFarAs(await rows("series"), series)).toEqual(series);
    for (const hours of [1, 24] as const) {
      const trend = expectedTrend(own, runs, hours).map(({ rtts: _, ...row }) => row);
      const more = hours === 1 ? { sinceMs: runs[1]?.plannedMs ?? 0 } : {};
      expect(asFarAs(await rows("trend", more), trend)).toEqual(trend);
    }
    expect(await rows("series", { untilMs: (runs[0]?.plannedMs ?? 0) - 86_400_000 })).toEqual([]);
    const changes = expectedChanges(own, runs);
    expect(changes.length).toBeGreaterThan(0);
    expect(asFarAs(await rows("changes"), changes)).toEqual(changes);
    if (hasLinks) {
      await checkLinks(running, own, rows);
    }
  }
}

async function checkLinks(
  { source, campaign: { runs } }: CampaignSource,
  own: RawRows,
  rows: (view: ViewName) => Promise<unknown[]>,
): Promise<void> {
  for (const [view, expected] of [
    ["links", expectedLinks(own)],
    ["nodes", expectedNodes(own)],
    ["graph", expectedGraph(own)],
  ] as const) {
    expect(asFarAs(comparable(await rows(view)), comparable(expected))).toEqual(comparable(expected));
  }
  const [before = "", after = ""] = runs.map(({ measurementId }) => measurementId);
  const compared = expectedChangedLinks(rowsOfMeasurement(own, after), rowsOfMeasurement(own, before));
  expect(new Set(compared.map(({ state }) => state))).toEqual(new Set(["appeared", "gone", "both"]));
  expect(asFarAs(await linksAgainst(source, after, before), compared)).toEqual(compared);
  const heat = expectedHeatmap(own);
  expect(comparable(asFarAs(comparable(await rows("heatmap")), comparable(heat)))).toEqual(comparable(heat));
}
