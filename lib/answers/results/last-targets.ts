/** Figures of the newest measurement of each agent and destination of a campaign, and how often its paths changed. */
import type { ColumnStore } from "../../engines/store/clickhouse/open.ts";
import type { CampaignRun } from "../../engines/store/clickhouse/reply-filter.ts";
import { rowsOf } from "../../engines/store/clickhouse/rows.ts";
import { splitTargetRows } from "../../engines/store/clickhouse/split-target-rows.ts";
import { withPathChanges } from "../../engines/store/clickhouse/target-rows-sql.ts";
import { runPlannedSql } from "./run-columns.ts";
import { address } from "./value-forms.ts";

export interface LastTarget {
  readonly agent: string;
  readonly destination: string;
  /** Probes of the newest measurement, and those of them with an answer. */
  readonly submitted: number;
  readonly answered: number;
  /** Quantiles of the destination's replies in microseconds; all 0 without such replies. */
  readonly rttReplies: number;
  readonly p10Us: number;
  readonly medianUs: number;
  readonly p90Us: number;
  /** 32 bits of the hash of its paths; 0 = none. */
  readonly pathId: number;
  /** Measurements of `runs` whose paths differ from those before. */
  readonly pathChanges: number;
  /** Targets in all, also beyond the limit. */
  readonly targets: number;
}

/** By agent and destination, up to a limit. Rejects with Failure `store`. */
export async function lastTargets(
  store: ColumnStore,
  runs: readonly CampaignRun[],
  targetsMax: number,
): Promise<LastTarget[]> {
  const { sql: rows, params } = await splitTargetRows(store, { runs }, Date.now());
  const planned = `SELECT *, ${runPlannedSql("measurement", runs)} AS planned FROM (${rows})`;
  const figures = ["rttReplies", "p10Us", "medianUs", "p90Us"] as const;
  const sql = `
    SELECT agent, ${address.sql("dst")} AS destination, toUInt32(argMax(submits, place)) AS submitted,
      toUInt32(argMax(hits, place)) AS answered,
      ${figures.map((name) => `toUInt32(argMax(found.${name}, place)) AS ${name}`).join(", ")},
      toUInt32(argMax(pathHash, place) % 4294967296) AS pathId, toUInt32(sum(isOther)) AS pathChanges,
      toUInt32(count() OVER ()) AS targets
    FROM (
      SELECT *, (planned, measurement) AS place
      FROM (${withPathChanges(planned, "planned, measurement")})) AS found
    GROUP BY agent, dst ORDER BY agent, dst LIMIT ${targetsMax}`;
  return await Array.fromAsync(rowsOf<LastTarget>(store, { sql, params }));
}
