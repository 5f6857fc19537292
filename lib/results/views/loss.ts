/** How many of the submitted probes were answered, for each agent and destination. */
import { type LossBar, lossPicture } from "../../pictures/charts/loss-picture.ts";
import { probeKey, replyKey } from "../../store/clickhouse/probe-key.ts";
import { probeCondition, type ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import type { RowQuery } from "../../store/clickhouse/rows.ts";
import { inWindow, type TargetWindow } from "../../store/clickhouse/target-windows.ts";
import type { Palette } from "../../terminal/colour.ts";
import { figureRowsDefault, lossDestinationsMax } from "../limits.ts";
import { namesOf, percentSql, type SqlColumn, schemaOf, selectOf, tableOf } from "../sql-columns.ts";
import { targetPages } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, Pen, View } from "../view.ts";

const columns: readonly SqlColumn[] = [
  { name: "agent", from: "source.agent", form: forms.text },
  { name: "destination", from: "source.dst", form: forms.address },
  column("submitted", "source.submits", "probes; one that was submitted twice counts twice"),
  column("answered", "source.hits", "of them, those with an answer from anywhere"),
  column("lost", "source.submits - source.hits", "submitted − answered"),
  {
    name: "loss_percent",
    from: percentSql("(source.submits - source.hits)", "source.submits"),
    form: forms.figure,
    head: "loss %",
  },
  column("replies", "source.heard", "all answers; more than answered where something answered twice"),
];

function column(name: string, from: string, meaning: string): SqlColumn {
  return { name, from: `toUInt32(${from})`, form: forms.count, meaning };
}

function rows(filter: ReplyFilter, window: TargetWindow, form: PageForm): RowQuery {
  const own = { sql: inWindow(window), params: {} };
  const [replies, probes] = [repliesFrom(filter, own), probeCondition(filter)];
  const cell = "agent, dst, protocol, srcPort, dstPort, ttl";
  const source = `
    SELECT agent, dst, sum(sent) AS submits, sum(least(sent, got)) AS hits, sumIf(got, sent > 0) AS heard
    FROM (
      SELECT agent, dst, sum(isProbe) AS sent, sum(isReply) AS got
      FROM (
        SELECT ${probeKey}, uniqExact(measurement_id, probe_src_addr, probe_index) AS isProbe, 0 AS isReply
        FROM measure.probes WHERE ${probes.sql} AND ${own.sql} GROUP BY ${cell}
        UNION ALL
        SELECT ${replyKey}, 0 AS isProbe, count() AS isReply FROM ${replies.sql} GROUP BY ${cell}
      )
      GROUP BY ${cell}
    )
    GROUP BY agent, dst HAVING submits > 0`;
  return {
    sql: `SELECT ${selectOf(columns, form)} FROM (${source}) AS source ORDER BY source.dst, source.agent`,
    params: { ...replies.params, ...probes.params },
  };
}

/** A table, and the sum of all that is shown. */
function lossPen(palette: Palette): Pen {
  const table = tableOf(columns)(palette, []);
  let [submitted, answered] = [0, 0];
  return {
    draw: (lines) => {
      for (const line of new TextDecoder().decode(lines).split("\n").slice(0, -1)) {
        const cells = line.split("\t");
        submitted += Number(cells[2]);
        answered += Number(cells[3]);
      }
      return table.draw(lines);
    },
    end: () => {
      const percent = ((100 * (submitted - answered)) / submitted).toFixed(2);
      return `\n${answered} of ${submitted} probes answered: ${percent} % lost`;
    },
  };
}

export const lossView: View = {
  name: "loss",
  summary: "How many of the submitted probes were answered, by agent and destination",
  description: [
    "By destination and agent. Only what was submitted counts: an answer to a probe that is not in the store is in",
    "none of the figures.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  schema: schemaOf(columns),
  csvNames: namesOf(columns),
  hasColumns: true,
  hasContext: false,
  pages: targetPages({ rows, destinationsMax: lossDestinationsMax }),
  pen: lossPen,
  picture: (rows) => lossPicture(rows as readonly LossBar[]),
};
