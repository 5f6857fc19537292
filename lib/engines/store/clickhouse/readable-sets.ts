/**
 * Sets of what a reader may see, in `measure.readable`: ids of measurements, and source prefixes of replies without
 * one. A set is named by the digest of its contents and never changes; the views of the SQL door show the rows of the
 * sets that a query names (door.ts).
 */
import { formatAddress } from "../../../net/ip/address.ts";
import { type Prefix, prefixMask } from "../../../net/ip/prefix.ts";
import type { ColumnStore } from "./open.ts";
import { storeErrorOf } from "./rows.ts";

export interface ReadableSet {
  /** Hex digits, SHA-256 of the contents. */
  readonly digest: string;
  /** UUIDs. */
  readonly ids: readonly string[];
  /** IPv6. */
  readonly sources: readonly Prefix[];
}

/** Stores a set; again is harmless. Rejects with Failure `store`. */
export async function storeReadableSet(
  store: ColumnStore,
  { digest, ids, sources }: ReadableSet,
): Promise<void> {
  const values = [
    ...ids.map((id) => ({ digest, measurement_id: id })),
    ...sources.map((prefix) => ({ digest, measurement_id: "", ...rangeOf(prefix) })),
  ];
  try {
    await store.client.insert({ table: "measure.readable", values, format: "JSONEachRow" });
  } catch (cause) {
    throw storeErrorOf(cause, store.address);
  }
}

function rangeOf(prefix: Prefix) {
  const mask = prefixMask(prefix);
  const last = prefix.base.map((byte, i) => byte | (~(mask[i] ?? 0) & 0xff));
  return { first_source: formatAddress(prefix.base), last_source: formatAddress(Uint8Array.from(last)) };
}
