/**
 * Round-trip times in SQL, for all views: rows with the columns `rtt` and `rtt_us` of `measure.replies`, of which older
 * rows and those of other agents have only the first.
 */
import { rttUnknownTenthMs } from "../../../net/packet/reply.ts";

/** Whether the round-trip time of a row is known. */
export const isTimedSql = `rtt != ${rttUnknownTenthMs}`;

/** Microseconds, as UInt32: exact where the agent measured them, else a multiple of 100. Only where `isTimedSql`. */
export function rttUsSql(row = ""): string {
  const [fine, coarse] = [`${row}rtt_us`, `${row}rtt`];
  return `if(${fine} = 0, 100 * ${coarse}, ${fine})`;
}
