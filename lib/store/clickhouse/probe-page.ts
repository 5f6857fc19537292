/** The submitted probes of a measurement, a page at a time, in the order of the submission. */
import type { Address } from "../../ip/address.ts";
import type { ColumnStore } from "./open.ts";
import { probeKey, replyKey } from "./probe-key.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

export interface SubmittedProbe {
  /** Place in the measurement, from 0. */
  readonly index: number;
  /** Milliseconds since the epoch. */
  readonly submittedMs: number;
  readonly agent: string;
  /** `::` leaves it to the agent. */
  readonly source: Address;
  readonly destination: Address;
  /** IANA number. */
  readonly protocol: number;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  /** To this agent's probes of the same destination, ports and TTL; null when nobody asked. */
  readonly replies: number | null;
}

export interface ProbePageQuery {
  readonly filter: ReplyFilter;
  readonly after: ProbePlace;
  readonly rows: number;
  readonly countReplies: boolean;
}

/** The last probe of a page. */
export type ProbePlace = Pick<SubmittedProbe, "index" | "agent"> & { readonly source: string };

export const beforeProbes: ProbePlace = { index: -1, agent: "", source: "" };

interface ProbeRow extends Omit<SubmittedProbe, "source" | "destination"> {
  readonly source: string;
  readonly dst: string;
}

/** At most `rows`, each probe of an agent and source once; none when there are no more. Rejects with StoreError. */
export async function readProbePage(store: ColumnStore, query: ProbePageQuery): Promise<SubmittedProbe[]> {
  const { filter, after, rows, countReplies } = query;
  const probes = probeCondition(filter);
  const place = "(toInt64(probe_index), toString(agent_id), hex(probe_src_addr))";
  const page = `
    SELECT ${probeKey}, probe_dst_port AS givenPort, probe_index, time_submitted, probe_src_addr
    FROM measure.probes
    WHERE ${probes.sql} AND probe_index BETWEEN {afterIndex:Int64} AND greatest({afterIndex:Int64}, lastIndex)
      AND ${place} > ({afterIndex:Int64}, {afterAgent:String}, {afterSource:String})
    ORDER BY probe_index, agent, hex(probe_src_addr) LIMIT 1 BY probe_index, agent, probe_src_addr
    LIMIT {rows:UInt64}`;
  const replies = countReplies ? repliesFrom(filter) : null;
  // The last index is found first, of one column, so that what is sorted is this page only.
  const sql = `
    WITH (
      SELECT toInt64(max(at)) FROM (
        SELECT probe_index AS at FROM measure.probes WHERE ${probes.sql} AND probe_index > {afterIndex:Int64}
        ORDER BY at LIMIT {rows:UInt64})
    ) AS lastIndex, page AS (${page})
    SELECT toInt64(probe_index) AS index, toUnixTimestamp64Milli(time_submitted) AS submittedMs, agent,
      hex(probe_src_addr) AS source, hex(page.dst) AS dst, protocol, srcPort, givenPort AS dstPort, ttl,
      ${replies === null ? "NULL" : "toUInt32(found.count)"} AS replies
    FROM page ${replies === null ? "" : joined(replies.sql)}
    ORDER BY index, agent, source`;
  const params = {
    ...probes.params,
    ...replies?.params,
    afterIndex: after.index,
    afterAgent: after.agent,
    afterSource: after.source,
    rows,
  };
  const found = await Array.fromAsync(rowsOf<ProbeRow>(store, { sql, params }));
  return found.map(({ source, dst, ...row }) => ({
    ...row,
    index: Number(row.index),
    submittedMs: Number(row.submittedMs),
    source: Uint8Array.fromHex(source),
    destination: Uint8Array.fromHex(dst),
  }));
}

export function placeOf({ index, agent, source }: SubmittedProbe): ProbePlace {
  return { index, agent, source: source.toHex().toUpperCase() };
}

/** How many answers there are to what names a probe, for the destinations of the page only. */
function joined(replies: string): string {
  return `LEFT JOIN (
      SELECT ${replyKey}, count() AS count FROM ${replies} WHERE probe_dst_addr IN (SELECT dst FROM page)
      GROUP BY agent, dst, protocol, srcPort, dstPort, ttl
    ) AS found
    ON page.agent = found.agent AND page.dst = found.dst AND page.protocol = found.protocol
      AND page.srcPort = found.srcPort AND page.dstPort = found.dstPort AND page.ttl = found.ttl`;
}
