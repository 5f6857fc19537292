/** All views, in the order in which they are offered. */
import type { View } from "./view.ts";
import { catchmentView } from "./views/catchment.ts";
import { changesView } from "./views/changes.ts";
import { graphView } from "./views/graph.ts";
import { heatmapView } from "./views/heatmap.ts";
import { comparedLinksView, linksView } from "./views/links.ts";
import { lossView } from "./views/loss.ts";
import { mtuView } from "./views/mtu.ts";
import { multipathsView } from "./views/multipaths.ts";
import { nodesView } from "./views/nodes.ts";
import { pathsView } from "./views/paths.ts";
import { pingsView } from "./views/pings.ts";
import { probesView } from "./views/probes.ts";
import { repliesView } from "./views/replies.ts";
import { seriesView } from "./views/series.ts";
import { sitesView } from "./views/sites.ts";
import { tracesView } from "./views/traces.ts";
import { trendView } from "./views/trend.ts";

const all = {
  replies: repliesView,
  paths: pathsView,
  loss: lossView,
  catchment: catchmentView,
  sites: sitesView,
  mtu: mtuView,
  probes: probesView,
  traces: tracesView,
  pings: pingsView,
  multipaths: multipathsView,
  heatmap: heatmapView,
  series: seriesView,
  trend: trendView,
  changes: changesView,
  links: linksView,
  nodes: nodesView,
  graph: graphView,
} as const satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof all;

export const viewNames = Object.keys(all) as readonly ViewName[];

/** Views that show a campaign, run by run. */
export const campaignViewNames = [
  "series",
  "trend",
  "heatmap",
  "changes",
  "links",
  "nodes",
  "graph",
] as const satisfies readonly ViewName[];

export function viewOf(name: ViewName): View {
  return all[name];
}

/** The view with this name; for compared links another one, whose rows differ. */
export function viewAgainst(name: ViewName, isCompared: boolean): View {
  return isCompared ? comparedLinksView : viewOf(name);
}
