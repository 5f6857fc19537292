/**
 * Each agent's path to each destination, run by run: loss with its confidence bounds, round-trip times of the
 * destination, and the number of paths of its flows.
 */
import { targetRows } from "../../../engines/store/clickhouse/target-rows-sql.ts";
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
  counted("rtt_replies", "found.rttReplies", "replies of the destination with a known time"),
  quantile("rtt_p10_ms", "p10Us"),
  quantile("rtt_median_ms", "medianUs"),
  quantile("rtt_p90_ms", "p90Us"),
  counted("flows", "found.flows", "that were answered"),
  counted("paths", "found.paths", "that they took, by their replies"),
  column(
    "top_path_percent",
    nullIfNone("found.flows", percentSql("found.topFlows", "found.flows")),
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

function quantile(name: string, from: string) {
  const value = nullIfNone("found.rttReplies", `found.${from} / 1000`);
  return column(name, value, nullableFigure());
}

function nullIfNone(count: string, value: string): string {
  return `if(${count} = 0, NULL, ${value})`;
}

function nullableFigure() {
  return forms.nullable(forms.figure);
}

function found({ replies, probes, runs, history }: WindowSources): string {
  return `SELECT *, ${runSql(runs)} FROM (${targetRows({ replies, probes }, history)})`;
}

export const seriesView: View = {
  name: "series",
  summary: "Loss, round-trip times and paths by agent and destination, run by run",
  description: [
    "By destination and agent, then by run. Only what was submitted counts. Round-trip times are those of the",
    "destination's answers. Of a campaign, replies that carry their measurement. Of measurements whose raw rows have",
    "expired, the history has the same rows; since and until then choose whole measurements.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: figurePages(columns, found, "found.dst, found.agent, found.run, found.measurement", {
    hasHistory: true,
  }),
};
