/** Columns of `agents` that follow from an agent's last report. */
import type { Sql, TransactionSql } from "postgres";
import { reportsMissedMax } from "../../../lib/measuring/probing/limits.ts";

/** Whether its last report is at most three of its intervals old, by the database's clock. */
export function isOnline(sql: Sql | TransactionSql) {
  return sql`coalesce(
    health_received_at > now() - ${reportsMissedMax} * report_interval_ms * interval '1 millisecond', false)`;
}

/** Why its host does not let it send, as it reports; null for an agent that is offline. */
export function heldByHost(sql: Sql | TransactionSql) {
  return sql`CASE WHEN ${isOnline(sql)} THEN health_details->>'held_by_host' END`;
}
