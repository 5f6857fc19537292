/** Who answered some measurements. */
import type { ColumnStore } from "./open.ts";
import { rowsOf } from "./rows.ts";

/** Addresses as text, in the order of their numbers, at most so many. Rejects with Failure `store`. */
export async function respondersOf(
  store: ColumnStore,
  measurementIds: readonly string[],
  atMost: number,
): Promise<string[]> {
  const sql = `
    SELECT replaceRegexpOne(toString(reply_src_addr), '^::ffff:', '') AS address FROM measure.replies
    WHERE measurement_id IN {ids:Array(String)} GROUP BY reply_src_addr ORDER BY reply_src_addr LIMIT ${atMost}`;
  const addresses: string[] = [];
  for await (const { address } of rowsOf<{ address: string }>(store, {
    sql,
    params: { ids: measurementIds },
  })) {
    addresses.push(address);
  }
  return addresses;
}
