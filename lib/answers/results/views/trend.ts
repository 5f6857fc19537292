/**
 * Loss, round-trip times and path changes by hour or day, each beside the same hour or day a week before; runs of a
 * campaign count by their planned times. Raw rows and the history are read alike (history-filter.ts).
 */
import type { CampaignRun, ReplyFilter } from "../../../engines/store/clickhouse/reply-filter.ts";
import { splitTargetRows } from "../../../engines/store/clickhouse/split-target-rows.ts";
import { bucketQuantileSql, withPathChanges } from "../../../engines/store/clickhouse/target-rows-sql.ts";
import { isColumnForm } from "../../../measuring/formats/forms.ts";
import { campaignRunsMax, figureRowsDefault } from "../limits.ts";
import { runPlannedSql } from "../run-columns.ts";
import { column, percentSql, selectOf, viewOfColumns, wholePage } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];
export const weekMs = 7 * dayMs;
/** Hours are shown of at most this: a screen of rows for each target. */
const hoursSpanMs = 3 * dayMs;

const columns = [
  column("time", "fromUnixTimestamp64Milli(found.bucket, 'UTC')", forms.time, {
    meaning: "where the hour or day begins, UTC; measurements count by their planned time",
  }),
  column("hours", "toUInt32(found.hours)", forms.count, { meaning: "1 or 24" }),
  column("agent", "found.agent", forms.text),
  column("destination", "found.dst", forms.address),
  column("measurements", "toUInt32(found.runs)", forms.count),
  column("submitted", "toUInt32(found.submits)", forms.count, { meaning: "probes" }),
  column("answered", "toUInt32(found.hits)", forms.count, { meaning: "of them" }),
  column("loss_percent", loss(""), forms.figure, { head: "loss %" }),
  column("loss_week_before_percent", loss("Before"), forms.nullable(forms.figure), {
    head: "week before %",
    meaning: "null = nothing was submitted then",
  }),
  column("rtt_replies", "toUInt32(found.rttReplies)", forms.count, {
    meaning: "replies of the destination with a known time",
  }),
  quantile("rtt_p10_ms", 0.1, ""),
  quantile("rtt_median_ms", 0.5, ""),
  quantile("rtt_p90_ms", 0.9, ""),
  quantile("rtt_median_week_before_ms", 0.5, "Before"),
  column("path_changes", "toUInt32(found.changes)", forms.count, {
    meaning: "measurements whose paths differ from those of the previous one with replies",
  }),
];

function loss(when: "" | "Before"): string {
  const [submits, hits] = [`found.submits${when}`, `found.hits${when}`];
  const percent = percentSql(`(${submits} - ${hits})`, submits);
  return when === "" ? percent : `if(${submits} = 0, NULL, ${percent})`;
}

/** Within 1 % of the exact one. */
function quantile(name: string, level: number, when: "" | "Before") {
  const [keys, counts] = [`found.times${when}.1`, `found.times${when}.2`];
  const ms = `floor(${bucketQuantileSql(level, keys, counts)} + 0.5) / 1000`;
  return column(name, `if(empty(${keys}), NULL, ${ms})`, forms.nullable(forms.figure));
}

/** Target rows, each in its own bucket and in the one a week later, where it is the week before. */
function found(
  rows: string,
  runs: readonly CampaignRun[] | null,
  { fromMs, untilMs, widthMs }: Span,
): string {
  const planned = runs === null ? "toUnixTimestamp64Milli(firstAt)" : runPlannedSql("measurement", runs);
  const figures = (when: "" | "Before", is: string) => `
    countIf(${is}) AS runs${when}, sumIf(submits, ${is}) AS submits${when}, sumIf(hits, ${is}) AS hits${when},
    sumIf(rttReplies, ${is}) AS rttReplies${when}, sumMapIf(buckets, bucketReplies, ${is}) AS times${when}`;
  return `
    SELECT own + later AS bucket, agent, dst, ${widthMs / hourMs} AS hours, sumIf(isOther, later = 0) AS changes,
      ${figures("", "later = 0")}, ${figures("Before", "later > 0")}
    FROM (
      SELECT *, intDiv(at, ${widthMs}) * ${widthMs} AS own, arrayJoin([0, ${weekMs}]) AS later
      FROM (${withPathChanges(`SELECT *, ${planned} AS at FROM (${rows})`, "at, measurement")}))
    GROUP BY bucket, agent, dst HAVING runs > 0 AND bucket >= ${fromMs} AND bucket < ${untilMs}`;
}

interface Span {
  /** Begin of the first bucket, and end of the last one; milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly widthMs: number;
}

interface RunPage extends Span {
  /** Those of its buckets, the ones a week before, and the run before the first, for its paths. */
  readonly runs: readonly CampaignRun[];
}

/** Parts of at most `campaignRunsMax` measurements, but at least one bucket; oldest first. */
function* runPages(runs: readonly CampaignRun[], sinceMs: number | undefined): Generator<RunPage> {
  const lastMs = runs.at(-1)?.plannedMs ?? 0;
  const widthMs = sinceMs !== undefined && lastMs - sinceMs <= hoursSpanMs ? hourMs : dayMs;
  const bucketOf = (ms: number) => widthMs * Math.floor(ms / widthMs);
  const firstMs = bucketOf(sinceMs ?? runs[0]?.plannedMs ?? 0);
  const partOf = (fromMs: number, untilMs: number): RunPage => {
    const own = runs.filter(({ plannedMs }) => plannedMs >= fromMs && plannedMs < untilMs);
    const earlier = runs.filter(
      ({ plannedMs }) => plannedMs >= fromMs - weekMs && plannedMs < untilMs - weekMs && plannedMs < fromMs,
    );
    const before = runs.findLast(({ plannedMs }) => plannedMs < fromMs)?.run;
    const previous = runs.filter((one) => one.run === before && !earlier.includes(one));
    return { fromMs, untilMs, widthMs, runs: [...earlier, ...previous, ...own] };
  };
  for (let fromMs = firstMs; fromMs <= lastMs; ) {
    let page = partOf(fromMs, fromMs + widthMs);
    for (let untilMs = page.untilMs + widthMs; page.untilMs <= lastMs; untilMs += widthMs) {
      const larger = partOf(fromMs, untilMs);
      if (larger.runs.length > campaignRunsMax) {
        break;
      }
      page = larger;
    }
    yield page;
    fromMs = page.untilMs;
  }
}

/** A measurement without a campaign is one row for each agent and destination. */
function pagesOf({ runs, sinceMs }: ReplyFilter): Iterable<Omit<RunPage, "runs"> & Partial<RunPage>> {
  return runs === undefined
    ? [{ fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER, widthMs: dayMs }]
    : runPages(runs, sinceMs);
}

export const trendView: View = {
  name: "trend",
  summary: "Loss, round-trip times and path changes by hour or day, beside the week before",
  description: [
    "By time, then by destination and agent. Rows are hours when since is at most three days before the last run,",
    "else days. Counts are exact, quantiles within 1 %. Since and until choose runs by their planned time; beyond",
    "the raw rows the history is read.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: async function* pages(ask, { filter, limit }, form) {
    const { sinceMs: _, untilMs: __, ...part } = filter;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let isNamed = !isColumnForm(form);
    const read = async ({ runs, ...span }: Span & Partial<RunPage>) => {
      const own = runs === undefined ? part : { ...part, runs };
      const { sql: rows, params } = await ask((store) => splitTargetRows(store, own, Date.now()));
      const sql = `SELECT ${selectOf(columns, form)} FROM (${found(rows, runs ?? null, span)}) AS found
        ORDER BY found.bucket, found.dst, found.agent ${Number.isFinite(left) ? `LIMIT ${left}` : ""}`;
      return await ask((store) => wholePage(store, { sql, params }, form));
    };
    for (const page of pagesOf(filter)) {
      const shown = await read(page);
      isNamed = true;
      yield shown;
      left -= shown.rows;
      if (left <= 0) {
        return;
      }
    }
    if (!isNamed) {
      yield await read({ fromMs: 0, untilMs: 0, widthMs: dayMs, runs: [] });
    }
  },
};
