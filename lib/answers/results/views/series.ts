/**
 * Each agent's path to each destination, run by run: loss with its confidence bounds, round-trip times of the
 * destination, and the number of paths of its flows.
 */

import { isEchoReplySql } from "../../../engines/store/clickhouse/echo-reply-sql.ts";
import { flowPathsSql } from "../../../engines/store/clickhouse/flow-paths-sql.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../../engines/store/clickhouse/probe-key.ts";
import { isTimedSql, rttUsSql } from "../../../engines/store/clickhouse/rtt-sql.ts";
import { figureRowsDefault } from "../limits.ts";
import { runColumns, runSql } from "../run-columns.ts";
import { column, percentSql, viewOfColumns } from "../sql-columns.ts";
import { figurePages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const [submitted, hits] = ["found.submits", "found.hits"];
const lost = `(${submitted} - ${hits})`;

const columns = [
  ...runColumns,
  column("agent", "found.agent", forms.text),
  column("destination", "found.dst", forms.address),
  counted("submitted", submitted, "probes"),
  counted("answered", hits, "of them, those with an answer from anywhere"),
  counted("duplicates", "found.copies", "further replies to a probe that was already answered"),
  column("loss_percent", percentSql(lost, submitted), forms.figure, { head: "loss %" }),
  bound("loss_low_percent", "-", "low %", "lowest loss that is likely: Wilson's interval, 95 %"),
  bound("loss_high_percent", "+", "high %", "highest loss that is likely"),
  counted("rtt_replies", "length(found.rtts)", "replies of the destination with a known time"),
  quantile("rtt_p10_ms", 1),
  quantile("rtt_median_ms", 2),
  quantile("rtt_p90_ms", 3),
  counted("flows", "found.flows", "that were answered"),
  counted("paths", "found.paths", "that they took, by their replies"),
  column(
    "top_path_percent",
    nullIfNone("found.flows", percentSql("found.top", "found.flows")),
    nullableFigure(),
    {
      head: "top path %",
      meaning: "flows on the most common path",
    },
  ),
];

function counted(name: string, from: string, meaning: string) {
  return column(name, `toUInt32(${from})`, forms.count, { meaning });
}

/** (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), in percent. */
function bound(name: string, sign: "-" | "+", head: string, meaning: string) {
  const z2 = "3.8416";
  const share = `(${lost} / ${submitted})`;
  const root = `sqrt(${share} * (1 - ${share}) / ${submitted} + ${z2} / (4 * ${submitted} * ${submitted}))`;
  const middle = `${share} + ${z2} / (2 * ${submitted}) ${sign} 1.96 * ${root}`;
  const percent = `floor(10000 * least(1, greatest(0, (${middle}) / (1 + ${z2} / ${submitted}))) + 0.5) / 100`;
  return column(name, percent, forms.figure, { head, meaning });
}

function quantile(name: string, place: number) {
  const value = nullIfNone("length(found.rtts)", `floor(found.levels[${place}] + 0.5) / 1000`);
  return column(name, value, nullableFigure());
}

function nullIfNone(count: string, value: string): string {
  return `if(${count} = 0, NULL, ${value})`;
}

function nullableFigure() {
  return forms.nullable(forms.figure);
}

function found({ replies, probes, runs }: WindowSources): string {
  const paths = `
    SELECT measurement, agent, dst, sum(count) AS flows, count() AS paths, max(count) AS top FROM (
      SELECT measurement, agent, dst, hops, count() AS count FROM (${flowPathsSql(replies)})
      GROUP BY measurement, agent, dst, hops)
    GROUP BY measurement, agent, dst`;
  return `
    SELECT measurement, ${runSql(runs)}, agent, dst, sum(sent) AS submits, sum(hit) AS hits, sum(copy) AS copies,
      groupArrayArray(times) AS rtts, quantilesExactInclusiveArray(0.1, 0.5, 0.9)(times) AS levels,
      sum(flowCount) AS flows, sum(pathCount) AS paths, sum(topCount) AS top
    FROM (
      SELECT measurement, agent, dst, sum(isProbe) AS sent, least(sent, sum(isReply)) AS hit,
        if(sent = 0, 0, sum(isCopy)) AS copy,
        groupArrayArray(rtts) AS times, toUInt64(0) AS flowCount, toUInt64(0) AS pathCount, toUInt64(0) AS topCount
      FROM (
        SELECT toString(measurement_id) AS measurement, ${probeKey}, uniqExact(probe_src_addr, probe_index) AS isProbe,
          toUInt64(0) AS isReply, toUInt64(0) AS isCopy, CAST([], 'Array(UInt32)') AS rtts
        FROM ${probes} GROUP BY measurement, ${cellKey}
        UNION ALL
        SELECT toString(measurement_id) AS measurement, ${replyKey}, toUInt64(0), uniqExact(answered) AS isHit,
          toUInt64(count() - isHit), groupArrayIf(time, isTimed) FROM (
          SELECT *, ${answeredProbe} AS answered, ${rttUsSql()} AS time,
            (reply_src_addr = probe_dst_addr OR ${isEchoReplySql()}) AND ${isTimedSql} AS isTimed
          FROM ${replies})
        GROUP BY measurement, ${cellKey})
      GROUP BY measurement, ${cellKey}
      UNION ALL
      SELECT measurement, agent, dst, toUInt64(0), toUInt64(0), toUInt64(0), CAST([], 'Array(UInt32)'), flows, paths,
        top
      FROM (${paths}))
    GROUP BY measurement, agent, dst HAVING submits > 0`;
}

export const seriesView: View = {
  name: "series",
  summary: "Loss, round-trip times and paths by agent and destination, run by run",
  description: [
    "By destination and agent, then by run. Only what was submitted counts. Round-trip times are those of the",
    "destination's answers. Of a campaign, replies that carry their measurement.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: figurePages(columns, found, "found.dst, found.agent, found.run, found.measurement"),
};
