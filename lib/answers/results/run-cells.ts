/**
 * Probes and replies of some measurements by agent, destination, flow and TTL: the input of the detectors.
 */
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../engines/store/clickhouse/probe-key.ts";
import { rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { isTimedSql, rttUsSql } from "../../engines/store/clickhouse/rtt-sql.ts";
import { textLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import { address } from "./value-forms.ts";

export interface RunCell {
  readonly agent: string;
  readonly destination: string;
  readonly flow: string;
  readonly ttl: number;
  readonly sent: number;
  readonly answered: number;
  /**
   * The first reply to each probe, in order of receipt: its source, and the round-trip time in milliseconds; null =
   * unknown.
   */
  readonly answers: readonly (readonly [router: string, rttMs: number | null])[];
}

/** Replies read per cell: more than a handful add nothing. */
const answersMax = 100;

/** Sorted by agent and destination, up to a limit. Rejects with Failure `store`. */
export function runCells(
  store: ColumnStore,
  measurementIds: readonly string[],
  cellsMax: number,
): Promise<RunCell[]> {
  const own = `measurement_id IN (${measurementIds.map(textLiteral).join(", ")})`;
  const sql = `
    SELECT agent, ${address.sql("dst")} AS destination, concat(toString(protocol), ' ', toString(srcPort), ' ',
        toString(dstPort)) AS flow, ttl, toUInt32(greatest(sum(submitted), sum(heard))) AS sent,
      toUInt32(sum(heard)) AS answered,
      arrayMap(one -> (one.2, one.3), arraySort(groupArrayArray(found))) AS answers
    FROM (
      SELECT ${probeKey}, uniqExact(measurement_id, probe_src_addr, probe_index) AS submitted, 0 AS heard,
        CAST([], 'Array(Tuple(DateTime64(9, \\'UTC\\'), String, Nullable(Float64)))') AS found
      FROM measure.probes WHERE ${own} GROUP BY ${cellKey}
      UNION ALL
      SELECT ${cellKey}, 0, count(), groupArray(${answersMax})(one) FROM (
        SELECT ${replyKey}, CAST((time_received_ns, ${address.sql("reply_src_addr")},
          if(${isTimedSql}, ${rttUsSql()} / 1000, NULL)),
          'Tuple(DateTime64(9, \\'UTC\\'), String, Nullable(Float64))') AS one
        FROM measure.replies WHERE ${own}
        ORDER BY time_received_ns LIMIT 1 BY ${cellKey}, ${answeredProbe})
      GROUP BY ${cellKey})
    GROUP BY ${cellKey} ORDER BY ${cellKey} LIMIT ${cellsMax}`;
  return Array.fromAsync(rowsOf<RunCell>(store, { sql, params: {} }));
}
