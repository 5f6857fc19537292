/** How many of the submitted probes were answered, for each agent and destination. */
import { oneStep } from "../../../base/list/steps.ts";
import type { Palette } from "../../../base/terminal/colour.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../../engines/store/clickhouse/probe-key.ts";
import { type LossBar, lossPicture } from "../../../measuring/pictures/charts/loss-picture.ts";
import { figureRowsDefault } from "../limits.ts";
import { pictureWriters } from "../picture-writers.ts";
import { column, percentSql, viewOfColumns } from "../sql-columns.ts";
import { figurePages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { Pen, View } from "../view.ts";

const [submitted, hits, lost] = ["found.submits", "found.hits", "(found.submits - found.hits)"];
const columns = [
  column("agent", "found.agent", forms.text),
  column("destination", "found.dst", forms.address),
  counted("submitted", submitted, "probes; one that was submitted twice counts twice"),
  counted("answered", hits, "of them, those with an answer from anywhere"),
  counted("lost", lost, "submitted − answered"),
  column("loss_percent", percentSql(lost, submitted), forms.figure, { head: "loss %" }),
  counted("replies", "found.heard", "all answers"),
  counted("duplicates", "found.copies", "of them, further answers to a probe that was answered before"),
];
const ofColumns = viewOfColumns(columns);

function counted(name: string, from: string, meaning: string) {
  return column(name, `toUInt32(${from})`, forms.count, { meaning });
}

function found({ replies, probes }: WindowSources): string {
  return `
    SELECT agent, dst, sum(sent) AS submits, sum(least(sent, hit)) AS hits, sumIf(got, sent > 0) AS heard,
      sumIf(got - hit, sent > 0) AS copies
    FROM (
      SELECT agent, dst, sum(isProbe) AS sent, sum(isReply) AS got, sum(isHit) AS hit
      FROM (
        SELECT ${probeKey}, uniqExact(measurement_id, probe_src_addr, probe_index) AS isProbe, 0 AS isReply, 0 AS isHit
        FROM ${probes} GROUP BY ${cellKey}
        UNION ALL
        SELECT ${replyKey}, 0 AS isProbe, count() AS isReply, uniqExact(${answeredProbe}) AS isHit
        FROM ${replies} GROUP BY ${cellKey}
      )
      GROUP BY ${cellKey}
    )
    GROUP BY agent, dst HAVING submits > 0`;
}

/** A table, and the sum of all shown rows. */
function lossPen(palette: Palette): Pen {
  const table = ofColumns.pen(palette, []);
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
  ...ofColumns,
  pages: figurePages(columns, found, "found.dst, found.agent"),
  pen: lossPen,
  picture: (rows) => lossPicture(rows as readonly LossBar[]),
  writers: pictureWriters<LossBar>((rows) => oneStep(() => lossPicture(rows))),
};
