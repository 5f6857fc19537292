/**
 * Columns for the campaign run that a row belongs to, and the paths of flows that both views compare.
 */
import { cellKey, replyKey } from "../../engines/store/clickhouse/probe-key.ts";
import type { CampaignRun } from "../../engines/store/clickhouse/reply-filter.ts";
import { textLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import { column, type SqlColumn } from "./sql-columns.ts";
import * as forms from "./value-forms.ts";

/** `runSql` provides their values. */
export const runColumns: readonly SqlColumn[] = [
  column("run", "found.run", forms.nullable(forms.count), { meaning: "of the campaign; null = of none" }),
  column("planned_at", "found.planned", forms.nullable(forms.time), { head: "planned" }),
  column("measurement_id", "found.measurement", forms.text),
];

/** Columns `run` and `planned` of a table that has `measurement`. */
export function runSql(runs: readonly CampaignRun[] | null): string {
  const type = "'Nullable(DateTime64(3, \\'UTC\\'))'";
  if (runs === null || runs.length === 0) {
    return `CAST(NULL, 'Nullable(UInt32)') AS run, CAST(NULL, ${type}) AS planned`;
  }
  const planned = lookedUp("toString(measurement)", runs, ({ plannedMs }) => plannedMs);
  return `CAST(${runNumberSql("toString(measurement)", runs)}, 'Nullable(UInt32)') AS run,
    CAST(fromUnixTimestamp64Milli(${planned}, 'UTC'), ${type}) AS planned`;
}

/** The number of the run of a measurement, whose id is given as SQL. */
export function runNumberSql(measurement: string, runs: readonly CampaignRun[]): string {
  return lookedUp(measurement, runs, ({ run }) => run);
}

function lookedUp(
  measurement: string,
  runs: readonly CampaignRun[],
  of: (run: CampaignRun) => number,
): string {
  const ids = runs.map(({ measurementId }) => textLiteral(measurementId)).join();
  const values = runs.map(of).join();
  return `transform(${measurement}, [${ids}], CAST([${values}], 'Array(Int64)'), toInt64(0))`;
}

/**
 * A row for each flow of a measurement: `measurement, agent, dst`, `hops` as (TTL, router) up to the first reply of the
 * destination, without unanswered ones, and `atNs` of its first reply. If several routers replied at a TTL, the first
 * counts.
 */
export function flowPathsSql(replies: string): string {
  return `
    SELECT measurement, agent, dst, min(firstNs) AS atNs,
      minIf(ttl, router = dst) AS endTtl,
      arrayFilter(hop -> endTtl = 0 OR hop.1 <= endTtl, arraySort(groupArray((ttl, router)))) AS hops
    FROM (
      SELECT measurement, ${cellKey}, argMin(router, at) AS router, min(at) AS firstNs
      FROM (
        SELECT toString(measurement_id) AS measurement, ${replyKey}, reply_src_addr AS router,
          toUnixTimestamp64Nano(time_received_ns) AS at
        FROM ${replies})
      GROUP BY measurement, ${cellKey})
    GROUP BY measurement, agent, dst, protocol, srcPort, dstPort`;
}
