/**
 * The catchment of an anycast prefix: which site heard the answers to the probes of which site. Choose the prefix
 * with `source` of the filter, or a measurement that probed from it.
 */
import { rowsDefault } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import type { ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

export interface Catchment {
  /** The site that sent the probes; empty when it is not known. */
  readonly probeAgent: string;
  readonly probeInstance: number;
  /** The site that heard the answers. */
  readonly heardBy: string;
  readonly replies: number;
  /** Destinations of the probes that were answered. */
  readonly destinations: number;
  /** Different routers and hosts that answered. */
  readonly responders: number;
}

/** By sending and hearing site; at most `limit`, or `rowsDefault`. Rejects with StoreError. */
export function queryCatchment(
  store: ColumnStore,
  filter: ReplyFilter,
  limit: number = rowsDefault,
): AsyncGenerator<Catchment, void, undefined> {
  const { sql: replies, params } = repliesFrom(filter);
  const sql = `
    SELECT probe_agent AS probeAgent, probe_instance AS probeInstance, agent_id AS heardBy,
      toUInt32(count()) AS replies, toUInt32(uniqExact(probe_dst_addr)) AS destinations,
      toUInt32(uniqExact(reply_src_addr)) AS responders
    FROM ${replies}
    GROUP BY probeAgent, probeInstance, heardBy ORDER BY probeAgent, probeInstance, heardBy
    LIMIT {limit:UInt64}`;
  return rowsOf<Catchment>(store, { sql, params: { ...params, limit } });
}
