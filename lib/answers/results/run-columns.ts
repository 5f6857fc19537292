/** Columns for the campaign run that a row belongs to. */
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
  const planned = runPlannedSql("toString(measurement)", runs);
  return `CAST(${runNumberSql("toString(measurement)", runs)}, 'Nullable(UInt32)') AS run,
    CAST(fromUnixTimestamp64Milli(${planned}, 'UTC'), ${type}) AS planned`;
}

/** The number of the run of a measurement, whose id is given as SQL. */
export function runNumberSql(measurement: string, runs: readonly CampaignRun[]): string {
  return lookedUp(measurement, runs, ({ run }) => run);
}

/** When the run of a measurement was planned, in milliseconds since the epoch. */
export function runPlannedSql(measurement: string, runs: readonly CampaignRun[]): string {
  return lookedUp(measurement, runs, ({ plannedMs }) => plannedMs);
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
