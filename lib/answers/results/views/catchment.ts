/**
 * An anycast prefix's catchment: which site captured the replies to which site's probes. Choose the prefix with
 * `source` of the filter, or a measurement that probed from it.
 */
import { oneStep } from "../../../base/list/steps.ts";
import { type CatchmentRow, catchmentPicture } from "../../../measuring/pictures/charts/catchment-picture.ts";
import { figureRowsDefault } from "../limits.ts";
import { pictureWriters } from "../picture-writers.ts";
import { column, foundPages, percentSql, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const columns = [
  column("probe_agent", "found.probeAgent", forms.text, {
    meaning: "site that sent; empty if unknown",
    head: "probes of",
  }),
  column("probe_instance", "found.probeInstance", forms.count),
  column("heard_by", "found.heardBy", forms.text, { meaning: "site that received the replies" }),
  column("replies", "toUInt32(found.answers)", forms.count),
  column("share_percent", percentSql("found.answers", "found.answersOfSender"), forms.figure, {
    meaning: "of all replies to this site's and instance's probes",
    head: "share %",
  }),
  column("destinations", "toUInt32(found.targets)", forms.count, { meaning: "that answered" }),
  column("responders", "toUInt32(found.routers)", forms.count, {
    meaning: "routers and hosts that replied",
  }),
];

const site = ["probe_agent", "probe_instance", "agent_id"].join();

/**
 * Addresses are grouped before they are counted: many groups can spill to disk, sets cannot. Meanwhile a hash stands
 * for the site, which halves the time; two of 1,000 sites share one once in 10^13 stores.
 */
function found(replies: string): string {
  return `SELECT any(site) AS named, named.1 AS probeAgent, named.2 AS probeInstance, named.3 AS heardBy,
      sumIf(count, isTarget) AS answers, countIf(isTarget) AS targets, countIf(NOT isTarget) AS routers,
      sum(answers) OVER (PARTITION BY probeAgent, probeInstance) AS answersOfSender
    FROM (
      SELECT cityHash64(${site}) AS siteKey, any((${site})) AS site, count() AS count,
        grouping(probe_dst_addr) = 0 AS isTarget
      FROM ${replies} GROUP BY GROUPING SETS ((siteKey, probe_dst_addr), (siteKey, reply_src_addr)))
    GROUP BY siteKey`;
}

export const catchmentView: View = {
  name: "catchment",
  summary: "Which agent received the replies to which agent's probes",
  description: "By sending and receiving agent.",
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: foundPages(columns, found, "found.probeAgent, found.probeInstance, found.heardBy"),
  picture: (rows) => catchmentPicture(rows as readonly CatchmentRow[]),
  writers: pictureWriters<CatchmentRow>((rows) => oneStep(() => catchmentPicture(rows))),
};
