/** Updates of a prefix that collectors have stored in `bmp.updates`, as events of the time line. */
import type { ColumnStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../../lib/engines/store/clickhouse/rows.ts";
import type { KeptEvent } from "../../../../lib/measuring/experiment/journal.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix } from "../../../../lib/net/ip/prefix.ts";
import { timeLineUpdatesMax } from "../limits.ts";

interface UpdateRow {
  readonly time_ns: string;
  readonly router: string;
  readonly peer: string;
  readonly is_post_policy: boolean;
  readonly is_adj_rib_out: boolean;
  readonly announced: boolean;
  readonly synthetic: boolean;
  readonly as_path: readonly number[];
  /** Equal for repetitions of the same announcement. */
  readonly told: string;
}

const shown = (column: string) => `replaceRegexpOne(toString(${column}), '^::ffff:', '')`;
const sql = `
  SELECT toString(toUnixTimestamp64Nano(time_received_ns)) AS time_ns, ${shown("router_addr")} AS router,
    ${shown("peer_addr")} AS peer, is_post_policy, is_adj_rib_out, announced, synthetic, as_path,
    toString(cityHash64(time_bmp_header_ns, origin, as_path, next_hop, multi_exit_disc, local_preference,
      communities, extended_communities, large_communities)) AS told
  FROM bmp.updates
  WHERE prefix_addr = toIPv6({address:String}) AND prefix_len = {length:UInt8}
    AND date BETWEEN toDate(fromUnixTimestamp64Nano({from:Int64}), 'UTC')
      AND toDate(fromUnixTimestamp64Nano({to:Int64}), 'UTC')
    AND time_received_ns >= fromUnixTimestamp64Nano({from:Int64})
    AND time_received_ns <= fromUnixTimestamp64Nano({to:Int64})
  ORDER BY time_received_ns LIMIT ${timeLineUpdatesMax + 1}`;

/**
 * Sorted by time, from `fromNs` to `toNs` by the collector's clock, without a router's repetitions after a lost
 * session. `isCut`: there are more than `timeLineUpdatesMax`. Rejects with Failure `store`.
 */
export async function storedRoutes(
  store: ColumnStore,
  prefix: Prefix,
  [fromNs, toNs]: readonly [bigint, bigint],
): Promise<{ readonly events: readonly KeptEvent[]; readonly isCut: boolean }> {
  const params = {
    ...{ address: formatAddress(prefix.base), length: prefix.length },
    ...{ from: String(fromNs), to: String(toNs) },
  };
  const events: KeptEvent[] = [];
  const standing = new Map<string, string>();
  let rows = 0;
  for await (const row of rowsOf<UpdateRow>(store, { sql, params })) {
    const event = eventOf(row, formatPrefix(prefix));
    const { subject } = event;
    rows++;
    if (!row.announced || standing.get(subject) !== row.told) {
      events.push(event);
    }
    standing.set(subject, row.announced ? row.told : "");
  }
  return { events: events.slice(0, timeLineUpdatesMax), isCut: rows > timeLineUpdatesMax };
}

function eventOf({ time_ns: timeNs, router, peer, announced, synthetic, ...row }: UpdateRow, prefix: string) {
  const side = row.is_adj_rib_out ? "out" : "in";
  const table = row.is_post_policy ? `${side}-post-policy` : side;
  const where = peer === "::" ? "local" : `${peer} ${table}`;
  const gone = synthetic ? "the session ended" : "withdrawn";
  return {
    ...({ timeNs, plane: "control", source: "collector", subject: `${prefix} ${router} ${where}` } as const),
    event: announced ? "route" : "route-gone",
    detail: announced ? row.as_path.join(" ") : gone,
  };
}
