/**
 * Round-trip times over time, in bins that the store counts: any number of replies yields a bounded number of rows.
 *
 * A row is a time bin, as wide as needed to have at most `heatBinsMax`; it begins at a whole multiple of its width
 * since the epoch. Within it are buckets of round-trip times, 20 for each factor of ten from 1 µs on, cut to whole
 * microseconds: below 10 µs there are fewer. A time known only to 0.1 ms is where its tick begins.
 */
import * as v from "valibot";
import { oneStep } from "../../../base/list/steps.ts";
import { isTimedSql, rttUsSql } from "../../../engines/store/clickhouse/rtt-sql.ts";
import { type HeatBin, heatPicture } from "../../../measuring/pictures/charts/heat-picture.ts";
import { heatBinsMax } from "../limits.ts";
import { pictureWriters } from "../picture-writers.ts";
import { column, foundPages, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const bucketsOfDecade = 20;
/** Beyond the largest time that an answer in time can have; what is above belongs to the last bucket. */
const edgeUsMax = 10_000_000;
const edgeCount = bucketsOfDecade * Math.log10(edgeUsMax) + 1;
/** Where a bucket begins, in microseconds, by its place; several small places never occur. */
const lows = [
  0,
  ...Array.from({ length: edgeCount }, (_, k) => Math.ceil(10 ** (k / bucketsOfDecade) - 1e-6)),
];
const edges = [...new Set(lows)];
/** An expression of SQL. 0 has place 0; no other time is nearer to an edge than a millionth of a place. */
const place = `toUInt8(${bucketsOfDecade} * log10(least(greatest(us, 0.89), ${edgeUsMax - 1})) + 1.0000001)`;

const [secondMs, hourMs, dayMs] = [1000, 3_600_000, 86_400_000];
const widthsMs = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800].map((seconds) => seconds * secondMs),
  ...[1, 2, 6, 12].map((hours) => hours * hourMs),
  ...[1, 7, 30, 365].map((days) => days * dayMs),
];

const bucket = v.object({ rtt_from_ms: v.number(), rtt_to_ms: v.number(), replies: v.number() });

const buckets: forms.ValueForm = {
  sql: (column) => `CAST(${column}, 'Array(Tuple(rtt_from_ms Float64, rtt_to_ms Float64, replies UInt32))')`,
  csv: (column) =>
    `arrayStringConcat(arrayMap(one -> concat(toString(one.1), ':', toString(one.3)), ${column}), '|')`,
  cell: shades,
  schema: v.array(bucket),
};

const columns = [
  column("time", "fromUnixTimestamp64Milli(found.bin * found.binMs, 'UTC')", forms.time, {
    meaning: "where the bin begins",
  }),
  column("width_ms", "found.binMs", forms.count, { meaning: "the same for all bins", head: "ms" }),
  column("replies", "toUInt32(found.answers)", forms.count, { meaning: "with a known time" }),
  quantile("rtt_p5_ms", 1, "5 %"),
  quantile("rtt_median_ms", 2, "half"),
  quantile("rtt_p95_ms", 3, "95 %"),
  column(
    "buckets",
    `arrayMap((low, count) -> (low / 1000, [${edges.slice(1)}][indexOf([${edges}], low)] / 1000, count),
      found.counts.1, found.counts.2)`,
    buckets,
    {
      meaning: "those with replies, ascending; in CSV `rtt_from_ms:replies`, `|` between them",
      head: "1 µs … 10 s",
    },
  ),
];

function quantile(name: string, place: number, part: string) {
  const meaning = `the lowest time that at least ${part} of them do not exceed`;
  return column(name, `found.levels[${place}] / 1000`, forms.figure, { meaning });
}

/**
 * Bin and place are one 16-bit number, by which the store finds the group without hashing. A group has each time once,
 * with its count, so that memory is bounded for any number of replies.
 */
function found(replies: string): string {
  const source = `SELECT toUnixTimestamp64Nano(time_received_ns) AS atNs, ${rttUsSql()} AS us FROM ${replies}
    WHERE ${isTimedSql}`;
  const span = `SELECT (arrayFirst(one -> intDiv(high, one) - intDiv(low, one) < ${heatBinsMax}, [${widthsMs}])
      AS width, intDiv(low, width))
    FROM (SELECT intDiv(min(atNs), 1000000) AS low, intDiv(max(atNs), 1000000) AS high FROM (${source}))`;
  const cell = `(intDiv(atNs, span.1 * 1000000) - span.2) * ${lows.length} + ${place}`;
  return `WITH assumeNotNull((${span})) AS span
    SELECT intDiv(cell, ${lows.length}) + span.2 AS bin, any(span.1) AS binMs, sum(count) AS answers,
      quantilesExactWeightedMerge(0.05, 0.5, 0.95)(times) AS levels,
      arraySort(groupArray(([${lows}][1 + cell % ${lows.length}], count))) AS counts
    FROM (SELECT toUInt16(${cell}) AS cell, count() AS count,
        quantilesExactWeightedState(0.05, 0.5, 0.95)(us, 1) AS times
      FROM (${source}) GROUP BY cell)
    GROUP BY bin`;
}

/** Two characters for each factor of ten, darker where there are more replies: an SQL expression. */
function shades(column: string): string {
  const place = "toInt32(floor(2 * log10(greatest(one.1, 0.001) * 1000) + 1e-9))";
  const sums = `arrayMap(place -> arraySum(one -> ${place} = place ? one.3 : 0, ${column}), range(14))`;
  return `arrayStringConcat(arrayMap(sum -> sum = 0 ? '·' :
    ['░', '▒', '▓', '█'][1 + least(3, intDiv(4 * sum, arrayMax(sums)))], (${sums} AS sums)))`;
}

export const heatmapView: View = {
  name: "heatmap",
  summary: "Round-trip times over time: how many answers in each bin of time and bucket of times",
  description: [
    `At most ${heatBinsMax} bins of time, those without an answer left out, over all answers whose round-trip time is`,
    "known; buckets are 20 for each factor of ten, cut to 1 µs. Choose by agent and destination.",
  ].join(" "),
  limitDefault: null,
  ...viewOfColumns(columns),
  pages: foundPages(columns, found, "found.bin"),
  picture: (rows) => heatPicture(rows as readonly HeatBin[]),
  writers: pictureWriters<HeatBin>((rows) => oneStep(() => heatPicture(rows))),
};
