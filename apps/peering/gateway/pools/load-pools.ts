/**
 * Writes the configured pools into the database when they have changed.
 *
 * The database owns the pools: of several gateways, the last one to start decides. Values that are no longer in a pool
 * are not assigned any more; live leases and assigned ASNs stay with their users.
 */
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { slices } from "../../../../lib/base/list/slices.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { AsnRange } from "../../../../lib/peering/lease/asn-ranges.ts";
import type { PrefixRun } from "../../../../lib/peering/lease/prefix-number.ts";
import { poolRunsAtOnce } from "../limits.ts";
import type { PoolSource } from "./pool-source.ts";

interface LoadedPools {
  /** Whether each pool has changed. */
  readonly asns: boolean;
  readonly prefixes: boolean;
}

/** Rejects with an Error that names the bad line; then nothing is changed. */
export async function loadPools(
  database: Database,
  ranges: readonly AsnRange[],
  source: PoolSource,
): Promise<LoadedPools> {
  const asns = await loadIfChanged(database, "asn", digestOf(ranges), (tx) => writeRanges(tx, ranges));
  if (await isLoaded(database, "prefix", source.digest)) {
    return { asns, prefixes: false };
  }
  const runs = await source.runs();
  const prefixes = await loadIfChanged(database, "prefix", source.digest, (tx) => writeRuns(tx, runs));
  return { asns, prefixes };
}

function digestOf(ranges: readonly AsnRange[]): string {
  return createHash("sha256").update(JSON.stringify(ranges)).digest("hex");
}

type Pool = "asn" | "prefix";

async function isLoaded({ sql }: Pick<Database, "sql">, pool: Pool, digest: string): Promise<boolean> {
  const same = await sql`SELECT FROM pool_sources WHERE pool = ${pool} AND digest = ${digest}`;
  return same.length > 0;
}

/** True when it was written. */
function loadIfChanged(
  { sql }: Database,
  pool: Pool,
  digest: string,
  write: (tx: TransactionSql) => Promise<void>,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    // The same lock as in the functions that assign from the pools.
    await tx`SELECT pg_advisory_xact_lock(${pool === "asn" ? 7305870916 : 7305870917})`;
    const same = await tx`SELECT FROM pool_sources WHERE pool = ${pool} AND digest = ${digest}`;
    if (same.length > 0) {
      return false;
    }
    await write(tx);
    await tx`
      INSERT INTO pool_sources (pool, digest) VALUES (${pool}, ${digest})
      ON CONFLICT (pool) DO UPDATE SET digest = excluded.digest, loaded_at = excluded.loaded_at`;
    await tx`
      SELECT record_change('gateway', 'pool.load', NULL, NULL, ${tx.json({ pool, digest })})`;
    return true;
  });
}

/** Assigned ASNs are skipped when the counter reaches them. */
async function writeRanges(tx: TransactionSql, ranges: readonly AsnRange[]): Promise<void> {
  await tx`DELETE FROM asn_ranges`;
  await tx`DELETE FROM asns_given_back`;
  const rows = ranges.map(({ first, last }) => ({ first, last }));
  await tx`
    INSERT INTO asn_ranges (first_asn, last_asn, next_asn)
    SELECT first, last, first FROM jsonb_to_recordset(${tx.json(rows)}) AS range (first bigint, last bigint)`;
}

async function writeRuns(tx: TransactionSql, runs: readonly PrefixRun[]): Promise<void> {
  await tx`DELETE FROM pool_runs`;
  const placed = runs.map((run, position) => ({ ...run, position }));
  for (const some of slices(placed, poolRunsAtOnce)) {
    await tx`
      INSERT INTO pool_runs (position, first_number, last_number, next_number)
      SELECT position, first, last, first
      FROM jsonb_to_recordset(${tx.json(some)}) AS run (position integer, first bigint, last bigint)`;
  }
  await tx`ANALYZE pool_runs`;
  // Each row is checked against the one run that could hold it.
  await tx`
    UPDATE pool_prefixes SET in_pool = is_in
    FROM (
      SELECT prefix_number AS number, coalesce((
        SELECT last_number >= prefix_number FROM pool_runs WHERE first_number <= prefix_number
        ORDER BY first_number DESC LIMIT 1), false) AS is_in
      FROM pool_prefixes
    ) AS found
    WHERE prefix_number = number AND in_pool <> is_in`;
}
