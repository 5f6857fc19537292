/** Routes that cover addresses, as collectors store them in `bmp.updates`: the last of each prefix and reporter. */
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../lib/engines/store/clickhouse/rows.ts";
import { routeOverlapSec, routePathsMax } from "./limits.ts";
import type { RouteUpdate } from "./route-changes.ts";

export interface RouteOrder {
  readonly destinations: readonly string[];
  /** Rows stored before this time of the store's clock are known; 0 = none are. */
  readonly fromNs: bigint;
}

export interface StoredRoutes {
  readonly updates: readonly RouteUpdate[];
  /** When they were read, by the store's clock. */
  readonly atNs: bigint;
  /** There are more than `routePathsMax`. */
  readonly isCut: boolean;
}

interface Row {
  readonly prefix: string;
  readonly reporter: string;
  readonly time_ns: string;
  readonly announced: boolean;
  readonly as_path: readonly number[];
}

const shown = (column: string) => `replaceRegexpOne(toString(${column}), '^::ffff:', '')`;
const isIpv4 = "isIPAddressInRange(toString(dst), '::ffff:0.0.0.0/96')";
const ns = (column: string) => `toString(toUnixTimestamp64Nano(${column}))`;

/** `date` bounds what is read: rows of the last days can still arrive. */
const sqlOf = (isFirst: boolean) => `
  WITH covering AS (
    SELECT tupleElement(IPv6CIDRToRange(dst, toUInt8(bits)), 1) AS addr,
      toUInt8(if(${isIpv4}, bits - 96, bits)) AS len
    FROM (SELECT toIPv6(arrayJoin({destinations:Array(String)})) AS dst, arrayJoin(range(129)) AS bits)
    WHERE bits >= 96 OR NOT ${isIpv4})
  SELECT concat(${shown("prefix_addr")}, '/', toString(prefix_len)) AS prefix,
    concat(${shown("router_addr")}, ' ', ${shown("peer_addr")}, if(is_post_policy, ' post-policy', '')) AS reporter,
    ${ns("max(time_received_ns)")} AS time_ns, argMax(announced, time_received_ns) AS announced,
    argMax(as_path, time_received_ns) AS as_path
  FROM bmp.updates
  WHERE (prefix_addr, prefix_len) IN (SELECT addr, len FROM covering) AND NOT is_adj_rib_out
    ${isFirst ? "" : "AND date >= today() - 1 AND time_inserted_ns > fromUnixTimestamp64Nano({from:Int64})"}
  GROUP BY prefix_addr, prefix_len, router_addr, peer_addr, is_post_policy
  ORDER BY time_ns LIMIT ${routePathsMax + 1}`;

/** Rejects with Failure `store`. */
export async function storedRoutes(
  store: ColumnStore,
  { destinations, fromNs }: RouteOrder,
): Promise<StoredRoutes> {
  let atNs = 0n;
  for await (const { now } of rowsOf<{ now: string }>(store, {
    sql: `SELECT ${ns("now64(9)")} AS now`,
    params: {},
  })) {
    atNs = BigInt(now);
  }
  const from = String(fromNs - BigInt(routeOverlapSec) * 1_000_000_000n);
  const updates: RouteUpdate[] = [];
  for await (const row of rowsOf<Row>(store, {
    sql: sqlOf(fromNs === 0n),
    params: { destinations, from },
  })) {
    const { prefix, reporter, time_ns, announced, as_path } = row;
    updates.push({ prefix, reporter, atNs: BigInt(time_ns), path: announced ? as_path.join(" ") : null });
  }
  return { updates: updates.slice(0, routePathsMax), atNs, isCut: updates.length > routePathsMax };
}
