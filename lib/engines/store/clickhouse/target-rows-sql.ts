/**
 * The figures of a measurement by agent and destination: of raw rows, and as the history keeps them
 * (sql/clickhouse/025-history.sql). Both have the same columns, so that a view reads either.
 */
import { isEchoReplySql } from "./echo-reply-sql.ts";
import { flowPathsSql } from "./flow-paths-sql.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "./probe-key.ts";
import { isTimedSql, rttUsSql } from "./rtt-sql.ts";

/** Width of a bucket of round-trip times: its middle is within 1 % of every time in it. */
const bucketFactor = 1.02;

interface RawSources {
  /** What follows FROM. */
  readonly replies: string;
  readonly probes: string;
}

/**
 * A row for each measurement, agent and destination that was submitted: `measurement, agent, dst, firstAt, submits,
 * hits, copies, rttReplies, p10Us, medianUs, p90Us, buckets, bucketReplies, flows, paths, topFlows, pathHash`.
 */
export function rawTargetRows({ replies, probes }: RawSources): string {
  const none = "toUInt64(0)";
  const noTimes = "CAST([], 'Array(UInt32)')";
  const paths = `
    SELECT measurement, agent, dst, sum(count) AS flows, count() AS paths, max(count) AS topFlows,
      cityHash64(arrayStringConcat(arraySort(groupArray(toString(hops))), ' ')) AS pathHash
    FROM (SELECT measurement, agent, dst, hops, count() AS count FROM (${flowPathsSql(replies)})
      GROUP BY measurement, agent, dst, hops)
    GROUP BY measurement, agent, dst`;
  const bucketOf = `us -> toUInt16(round(log(greatest(us, 1)) / log(${bucketFactor})))`;
  return `
    SELECT measurement, agent, dst, minIf(first, sent > 0) AS firstAt, sum(sent) AS submits, sum(hit) AS hits,
      sum(copy) AS copies, sum(length(times)) AS rttReplies,
      quantilesExactInclusiveArray(0.1, 0.5, 0.9)(times) AS levels,
      ${(["p10Us", "medianUs", "p90Us"] as const)
        .map((name, i) => `toUInt32(if(rttReplies = 0, 0, floor(levels[${i + 1}] + 0.5))) AS ${name}`)
        .join(", ")},
      sumMap(arrayMap(${bucketOf}, times), arrayMap(us -> toUInt32(1), times)) AS histogram,
      histogram.1 AS buckets, CAST(histogram.2, 'Array(UInt32)') AS bucketReplies,
      sum(flowCount) AS flows, sum(pathCount) AS paths, sum(topCount) AS topFlows, max(hash) AS pathHash
    FROM (
      SELECT measurement, agent, dst, min(submittedAt) AS first, sum(isProbe) AS sent,
        least(sent, sum(isReply)) AS hit, if(sent = 0, 0, sum(isCopy)) AS copy, groupArrayArray(rtts) AS times,
        ${none} AS flowCount, ${none} AS pathCount, ${none} AS topCount, ${none} AS hash
      FROM (
        SELECT toString(measurement_id) AS measurement, ${probeKey}, min(time_submitted) AS submittedAt,
          uniqExact(probe_src_addr, probe_index) AS isProbe, ${none} AS isReply, ${none} AS isCopy, ${noTimes} AS rtts
        FROM ${probes} GROUP BY measurement, ${cellKey}
        UNION ALL
        SELECT toString(measurement_id) AS measurement, ${replyKey}, ${neverSql}, ${none}, uniqExact(answered) AS isHit,
          toUInt64(count() - isHit), groupArrayIf(time, isTimed)
        FROM (
          SELECT *, ${answeredProbe} AS answered, ${rttUsSql()} AS time,
            (reply_src_addr = probe_dst_addr OR ${isEchoReplySql()}) AND ${isTimedSql} AS isTimed
          FROM ${replies})
        GROUP BY measurement, ${cellKey})
      GROUP BY measurement, ${cellKey}
      UNION ALL
      SELECT measurement, agent, dst, ${neverSql}, ${none}, ${none}, ${none}, ${noTimes},
        flows, paths, topFlows, pathHash
      FROM (${paths}))
    GROUP BY measurement, agent, dst HAVING submits > 0`;
}

/** Later than any submission, as `min` of the two kinds of rows must be the probes'. */
export const neverSql = "toDateTime64('2262-01-01 00:00:00', 3, 'UTC')";

/** The columns of `measure.history` between `date` and `time_counted`, in its order, with those of a target row. */
export const historyColumns = {
  time_submitted: "firstAt",
  measurement_id: "measurement",
  agent_id: "agent",
  probe_dst_addr: "dst",
  submitted: "submits",
  answered: "hits",
  duplicates: "copies",
  rtt_replies: "rttReplies",
  rtt_p10_us: "p10Us",
  rtt_median_us: "medianUs",
  rtt_p90_us: "p90Us",
  rtt_buckets: "buckets",
  rtt_bucket_replies: "bucketReplies",
  flows: "flows",
  paths: "paths",
  top_flows: "topFlows",
  path_hash: "pathHash",
} as const;

/** Raw rows and those of the history that meet a condition on its columns; null = none of it. */
export function targetRows(raw: RawSources, history: string | null): string {
  const names = Object.values(historyColumns).join(", ");
  return history === null
    ? rawTargetRows(raw)
    : `SELECT ${names} FROM (${rawTargetRows(raw)}) UNION ALL SELECT ${names} FROM (${historyTargetRows(history)})`;
}

/**
 * Target rows with `isOther`: whether their paths differ from those of the row before that has paths, of the same agent
 * and destination. `order` follows ORDER BY.
 */
export function withPathChanges(rows: string, order: string): string {
  return `SELECT *, pathHash != 0 AND previous != 0 AND previous != pathHash AS isOther
    FROM (
      SELECT *, lagInFrame(pathHash) OVER (PARTITION BY agent, dst, pathHash = 0
        ORDER BY ${order} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS previous
      FROM (${rows}))`;
}

function historyTargetRows(condition: string): string {
  const columns = Object.entries(historyColumns).map(([stored, name]) => {
    const value = stored.endsWith("_id") ? `toString(${stored})` : stored;
    return stored === name ? stored : `${value} AS ${name}`;
  });
  return `SELECT ${columns.join(", ")} FROM measure.history FINAL WHERE ${condition}`;
}

/**
 * A quantile in microseconds of buckets that were added up, between the two nearest ranks, within 1 % of the exact one.
 * `keys` and `counts` are SQL arrays, not empty.
 */
export function bucketQuantileSql(level: number, keys: string, counts: string): string {
  const ranks = `arrayCumSum(${counts})`;
  const place = `${level} * (arraySum(${counts}) - 1)`;
  const at = (rank: string) =>
    `pow(${bucketFactor}, ${keys}[arrayFirstIndex(until -> until > ${rank}, ${ranks})])`;
  const [low, high] = [at(`floor(${place})`), at(`ceil(${place})`)];
  return `(${low} + (${place} - floor(${place})) * (${high} - ${low}))`;
}
