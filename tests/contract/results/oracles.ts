/** The oracle of each view. */
import type { ViewName } from "../../../lib/answers/results/views.ts";
import { expectedHeatmap } from "./heat-oracle.ts";
import { expectedGraph, expectedLinks, expectedNodes } from "./link-oracle.ts";
import { expectedCatchment, expectedLoss, expectedProbes, expectedReplies } from "./oracle.ts";
import { expectedPaths } from "./path-oracle.ts";
import type { RawRows } from "./raw-rows.ts";
import { expectedChanges, expectedSeries } from "./series-oracle.ts";
import { expectedMultipaths, expectedPings, expectedTraces } from "./trace-oracle.ts";
import { expectedTrend } from "./trend-oracle.ts";

export const oracles: Readonly<Record<ViewName, (rows: RawRows) => readonly object[]>> = {
  replies: expectedReplies,
  paths: expectedPaths,
  loss: expectedLoss,
  catchment: expectedCatchment,
  // Random rows hold no answers of name servers: tests/lab/sites.test.ts has real ones.
  sites: () => [],
  // Nor probes with a size: mtu-test.ts has them.
  mtu: () => [],
  probes: expectedProbes,
  traces: expectedTraces,
  pings: expectedPings,
  multipaths: expectedMultipaths,
  heatmap: expectedHeatmap,
  trend: (rows) => expectedTrend(rows).map(({ rtts: _, ...row }) => row),
  series: (rows) => expectedSeries(rows),
  changes: (rows) => expectedChanges(rows),
  links: expectedLinks,
  nodes: expectedNodes,
  graph: expectedGraph,
};
