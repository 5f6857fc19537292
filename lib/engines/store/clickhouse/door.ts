/**
 * What the SQL door needs in a column store: views for readers, and the accounts whose rights keep readers to them.
 *
 * Statements of readers run as `vantage_sql`, which may read the views, routes and dictionaries, and nothing else. The
 * views run as `vantage_rows`, whose row policies show the rows of the sets (readable-sets.ts) that the query's
 * `log_comment` names: the gateway sets it together with `readonly`, so the statement cannot change it. A row policy is
 * applied before any condition of the statement, so no expression is ever evaluated on other rows.
 */
import { Failure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import type { ColumnStore } from "./open.ts";

export const guestAccount = "vantage_sql";
export const rowsAccount = "vantage_rows";

/** Sets that a query names, from the setting that the gateway gives it. */
const named = "splitByChar(',', getSetting('log_comment'))";
/** A gateway names a set anew every ten minutes; the clocks of store and gateway do not matter. */
const inUse = `digest IN (${named}) AND stored_at > now() - toIntervalMinute(20)`;
/**
 * As an array that the engine computes once: a list is compared with each different id of a block, a subquery with
 * each row.
 */
const ids = `arrayConcat((SELECT groupArray(measurement_id) FROM measure.readable WHERE ${inUse}), [])`;
const sources = `(SELECT groupArray((first_source, last_source)) FROM measure.readable
  WHERE ${inUse} AND measurement_id = '')`;

/** Row policies of `vantage_rows`, as expressions. A range of sources counts where no measurement is known. */
export const rowPolicies: Readonly<Record<"replies" | "probes" | "history", string>> = {
  replies: `measurement_id IN (${ids}) AND (empty(${sources}) OR measurement_id != ''
    OR arrayExists(range -> probe_src_addr >= range.1 AND probe_src_addr <= range.2, ${sources}))`,
  probes: `measurement_id != '' AND measurement_id IN (${ids})`,
  history: `measurement_id != '' AND measurement_id IN (${ids})`,
};

export const rowsGrants = [
  "GRANT SELECT ON measure.replies",
  "GRANT SELECT ON measure.probes",
  "GRANT SELECT ON measure.history",
  "GRANT SELECT ON measure.readable",
];

export const guestGrants = [
  "GRANT SELECT ON vantage.*",
  "GRANT SELECT ON saimiris.replies",
  "GRANT SELECT ON flows.records",
  "GRANT SELECT ON bmp.updates",
  "GRANT dictGet ON context.*",
  "GRANT dictGet ON ipinfo.*",
];

/** Each with a reason; a statement cannot raise them. */
export const guestProfile: Readonly<Record<string, number>> = {
  /** Bytes: three queries at once beside the store's own. */
  max_memory_usage: 1_000_000_000,
  max_bytes_before_external_group_by: 300_000_000,
  max_bytes_before_external_sort: 300_000_000,
  /** Seconds. */
  max_execution_time: 120,
  max_rows_to_read: 1_000_000_000,
  max_result_rows: 10_000_000,
  /** Bytes: what is not streamed is held in memory. */
  max_result_bytes: 256_000_000,
  max_temporary_data_on_disk_size_for_query: 4_000_000_000,
  max_threads: 1,
  max_ast_depth: 500,
  max_subquery_depth: 50,
  max_query_size: 300_000,
};

const replyColumns = "* EXCEPT (producer, sequence)";
const existingColumns = `* EXCEPT (producer, sequence, measurement_id, probe_agent, probe_instance, rtt_us,
  reply_quoted_traffic_class, reply_next_hop_mtu, reply_quoted_flow_label, reply_site,
  reply_rewritten, reply_quoted_src_port, reply_checksum_delta, reply_quoted_src_addr)`;

const view = (name: string, columns: string, table: string) =>
  `CREATE OR REPLACE VIEW ${name} DEFINER = ${rowsAccount} SQL SECURITY DEFINER AS SELECT ${columns} FROM ${table}`;

/** In the form that existing queries know; there are no flow records here. */
const flowRecords = `CREATE TABLE IF NOT EXISTS flows.records (
    date Date, time_inserted_ns DateTime64(9), time_received_ns DateTime64(9), time_flow_start_ns DateTime64(9),
    sequence_num UInt32, sampling_rate UInt64, sampler_address FixedString(16), src_addr FixedString(16),
    dst_addr FixedString(16), src_as UInt32, dst_as UInt32, etype UInt32, proto UInt32, src_port UInt32,
    dst_port UInt32, bytes UInt64, packets UInt64
  ) ENGINE = MergeTree PARTITION BY date ORDER BY time_received_ns`;

/**
 * Sets by their names: measurements, and, with an empty measurement_id, ranges of source addresses of replies without
 * one. A set is used for minutes, so the table may be dropped and made anew with other columns.
 */
const readableTable = `CREATE TABLE IF NOT EXISTS measure.readable (
    stored_at DateTime('UTC') DEFAULT now() COMMENT 'by the clock of the store', digest String COMMENT 'names the set',
    measurement_id String COMMENT 'empty for a range of sources', first_source IPv6, last_source IPv6
  ) ENGINE = MergeTree PARTITION BY toStartOfHour(stored_at) ORDER BY (digest, measurement_id)
  TTL stored_at + toIntervalHour(1) SETTINGS ttl_only_drop_parts = 1`;

/** The views hold no rows, so they are made anew after an upgrade. */
const doorStatements: readonly string[] = [
  "CREATE DATABASE IF NOT EXISTS vantage",
  "CREATE DATABASE IF NOT EXISTS saimiris",
  "CREATE DATABASE IF NOT EXISTS flows",
  readableTable,
  view("vantage.replies", replyColumns, "measure.replies"),
  view("vantage.probes", "*", "measure.probes"),
  view("vantage.history", "* EXCEPT time_counted", "measure.history FINAL"),
  view("saimiris.replies", existingColumns, "measure.replies"),
  flowRecords,
];

/**
 * The embedded store has the accounts, unless it was started with others; at a server its operator creates them, or
 * readers get no SQL. An account that may not see accounts finds none.
 */
export async function canHaveDoor({ client }: ColumnStore): Promise<boolean> {
  try {
    const found = await client.query({
      query: `SELECT name FROM system.users WHERE name = '${rowsAccount}'`,
      format: "JSONEachRow",
    });
    return (await found.json()).length > 0;
  } catch {
    return false;
  }
}

/** Rejects with Failure `store` `refused`, with the statement that the store refuses. */
export async function makeDoor({ client, address }: ColumnStore): Promise<void> {
  for (const query of doorStatements) {
    try {
      await client.command({ query });
    } catch (cause) {
      const first = query.split("\n")[0] ?? "";
      const message = `Cannot make the views of SQL in ${address} (${first}): ${systemReason(cause)}`;
      throw new Failure("store", "refused", message, { cause });
    }
  }
}
