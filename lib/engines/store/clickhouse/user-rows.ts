/**
 * The rows of one user: those of the user's measurements, the history's too, and those whose probes came from the
 * user's own prefixes.
 * They are counted, read and erased by the same condition.
 *
 * Erasing is a mutation (`ALTER TABLE … DELETE`): it rewrites the parts that hold such rows, projections too,
 * which takes time. The old parts leave the disk some minutes later (`old_parts_lifetime`, 480 s).
 */
import { Failure } from "../../../base/failure/failure.ts";
import { slices } from "../../../base/list/slices.ts";
import { formatAddress } from "../../../net/ip/address.ts";
import { type Prefix, prefixMask } from "../../../net/ip/prefix.ts";
import { clusterOf } from "./cluster-of.ts";
import { eraseWaitMs, followEveryMs, userConditionsMax } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { linesOf, rowsOf, storeErrorOf } from "./rows.ts";
import { textLiteral } from "./sql-literals.ts";

export const userTables = ["replies", "probes", "history"] as const;
/** In this order: what is counted into the history is erased before it (count-history.ts). */
const erasedTables = [...userTables, "history_counted"] as const;
type UserTable = (typeof userTables)[number];

export interface UserSelection {
  readonly measurementIds: readonly string[];
  /** Source prefixes that belong to this user alone. */
  readonly sources: readonly Prefix[];
}

export type UserCounts = Readonly<Record<UserTable, number>>;

/** Rejects with Failure `store`. */
export async function countUserRows(store: ColumnStore, selection: UserSelection): Promise<UserCounts> {
  const counts = { replies: 0, probes: 0, history: 0 };
  for (const table of userTables) {
    for (const condition of conditionsOf(selection, table)) {
      const sql = `SELECT toUInt32(count()) AS count FROM measure.${table} WHERE ${condition}`;
      for await (const { count } of rowsOf<{ count: number }>(store, { sql, params: {} })) {
        counts[table] += count;
      }
    }
  }
  return counts;
}

/**
 * Resolves when no query finds them any more. Rejects with Failure `store`, and some may then be left: `busy`
 * when the store is still erasing.
 */
export async function eraseUserRows(store: ColumnStore, selection: UserSelection): Promise<void> {
  const cluster = await clusterOf(store);
  if (cluster !== null) {
    const message = `Cannot erase through ${store.address}, the front of ${cluster}: erase at each shard`;
    throw new Failure("store", "refused", message);
  }
  for (const statement of erasingStatements(selection)) {
    try {
      await store.client.command({ query: statement });
    } catch (cause) {
      throw storeErrorOf(cause, store.address);
    }
  }
  // Not every store waits for its mutations, even on request.
  const giveUpAtMs = performance.now() + eraseWaitMs;
  for (let left = await leftOf(store, selection); left > 0; left = await leftOf(store, selection)) {
    if (performance.now() > giveUpAtMs) {
      const message = `The column store ${store.address} still erases: ${left} rows are left`;
      throw new Failure("store", "busy", message);
    }
    await Bun.sleep(followEveryMs);
  }
}

async function leftOf(store: ColumnStore, selection: UserSelection): Promise<number> {
  return sumOfCounts(await countUserRows(store, selection));
}

export function sumOfCounts(counts: UserCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The statements that erase them, for a store that the caller may only read. */
export function erasingStatements(selection: UserSelection): string[] {
  return erasedTables.flatMap((table) =>
    conditionsOf(selection, table).map(
      // On this server and its replicas, before it is answered.
      (condition) => `ALTER TABLE measure.${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`,
    ),
  );
}

/** Lines of JSON, with all columns. Rejects with Failure `store`. */
export async function* userLines(
  store: ColumnStore,
  table: UserTable,
  selection: UserSelection,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const condition of conditionsOf(selection, table)) {
    const sql = `SELECT * FROM measure.${table} WHERE ${condition}`;
    yield* await linesOf(store, { sql, params: {} }, "JSONEachRow");
  }
}

/**
 * No row meets two of them. Each has some hundred kilobytes at most, as a server takes queries up to 256 KB.
 */
function conditionsOf(
  { measurementIds, sources }: UserSelection,
  table: (typeof erasedTables)[number],
): string[] {
  const byMeasurement = slices(measurementIds, userConditionsMax).map(
    (ids) => `measurement_id IN (${ids.map(textLiteral).join(", ")})`,
  );
  if (table === "history" || table === "history_counted") {
    // All their rows have a measurement.
    return byMeasurement;
  }
  // Only rows without a measurement: a measurement that is not the user's is another user's.
  const bySource = slices(sources, userConditionsMax).map(
    (prefixes) => `measurement_id = '' AND (${prefixes.map(isFrom).join(" OR ")})`,
  );
  return [...byMeasurement, ...bySource];
}

function isFrom(prefix: Prefix): string {
  const mask = prefixMask(prefix);
  const last = prefix.base.map((byte, i) => byte | (~(mask[i] ?? 0) & 0xff));
  const ends = [prefix.base, last].map((address) => `toIPv6('${formatAddress(Uint8Array.from(address))}')`);
  return `probe_src_addr BETWEEN ${ends[0]} AND ${ends[1]}`;
}
