/**
 * Forwarding changes to a destination, run by run: a router's next hops whose share of its flows differs from the
 * previous run. Each run sends the same flows, so a difference is in the network.
 */
import { flowPathsSql } from "../../../engines/store/clickhouse/flow-paths-sql.ts";
import { figureRowsDefault } from "../limits.ts";
import { runColumns, runSql } from "../run-columns.ts";
import { column, percentSql, viewOfColumns } from "../sql-columns.ts";
import { figurePages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const columns = [
  ...runColumns,
  column("agent", "found.agent", forms.text),
  column("destination", "found.dst", forms.address),
  column("router", "found.near", forms.address),
  column("next_hop", "found.far", forms.address),
  column("flows", "toUInt32(found.flows)", forms.count, { meaning: "from the router to this next hop" }),
  column("share_percent", percentSql("found.flows", "found.whole"), forms.figure, {
    head: "share %",
    meaning: "of all the router's flows with a responding next hop",
  }),
  column("flows_before", "toUInt32(found.before)", forms.count, { meaning: "in the previous run" }),
  column("share_before_percent", percentSql("found.before", "found.wholeBefore"), forms.figure, {
    head: "before %",
  }),
];

const target = "agent, dst";

/** Each row counts for its run, and as the previous state for the next one; so a removed next hop has a row too. */
function found({ replies, runs }: WindowSources): string {
  const links = `
    SELECT measurement, ${target}, min(atNs) AS at, link.2 AS near, link.4 AS far, count() AS flows
    FROM (
      SELECT measurement, ${target}, atNs, arrayJoin(arrayFilter(
        one -> one.3 = one.1 + 1 AND one.2 != one.4 AND one.2 != dst,
        arrayMap((a, b) -> (a.1, a.2, b.1, b.2), arrayPopBack(hops), arrayPopFront(hops)))) AS link
      FROM (${flowPathsSql(replies)}))
    GROUP BY measurement, ${target}, near, far`;
  const ranked = `
    SELECT *, dense_rank() OVER (PARTITION BY ${target} ORDER BY number, firstAt, measurement) AS place FROM (
      SELECT *, ifNull(run, 0) AS number, min(at) OVER (PARTITION BY measurement, ${target}) AS firstAt
      FROM (SELECT *, ${runSql(runs)} FROM (${links})))`;
  const both = `
    SELECT ${target}, near, far, place, maxIf(measurement, isNow) AS own, sumIf(flows, isNow) AS now,
      sumIf(flows, NOT isNow) AS before
    FROM (
      SELECT ${target}, near, far, measurement, flows, place + step AS place, step = 0 AS isNow
      FROM (${ranked}) ARRAY JOIN [0, 1] AS step)
    GROUP BY ${target}, near, far, place`;
  const compared = `
    SELECT ${target}, near, far, now AS flows, before, place,
      max(own) OVER (PARTITION BY ${target}, place) AS measurement,
      sum(now) OVER (PARTITION BY ${target}, place, near) AS whole,
      sum(before) OVER (PARTITION BY ${target}, place, near) AS wholeBefore
    FROM (${both})`;
  return `SELECT *, ${runSql(runs)} FROM (${compared})
    WHERE whole > 0 AND wholeBefore > 0 AND flows * wholeBefore != before * whole`;
}

export const changesView: View = {
  name: "changes",
  summary: "Next hops whose share of flows changed since the previous run",
  description: [
    "By destination and agent, then by run. A router counts that both runs have met; a hop is who answered a flow and",
    "TTL first. Of a campaign, replies that carry their measurement; of one measurement there is nothing.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: figurePages(columns, found, "found.dst, found.agent, found.place, found.near, found.far"),
};
