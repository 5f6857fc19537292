/** What answered to each flow and TTL towards each target, beside how many probes were submitted. */
import type { Address } from "../../ip/address.ts";
import type { MplsLabel } from "../../packet/reply.ts";
import { rowsDefault } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { probeKey, replyKey } from "./probe-key.ts";
import { type LabelRow, labelOf, rttMsOf } from "./replies-query.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

/** All probes of one flow with one TTL. */
export interface PathCell {
  /** The agent that sent them, as far as it is known, else the one that heard the answers. */
  readonly agent: string;
  readonly target: Address;
  /** IANA number. */
  readonly protocol: number;
  readonly srcPort: number;
  /** 0 for ICMP. */
  readonly dstPort: number;
  readonly ttl: number;
  /** As submitted; 0 when the submission is not in the store. */
  readonly sent: number;
  /** One for each router and kind of answer; none when nobody answered. */
  readonly answers: readonly PathAnswer[];
}

export interface PathAnswer {
  readonly from: Address;
  readonly replyProtocol: number;
  readonly icmpType: number;
  readonly icmpCode: number;
  readonly labels: readonly MplsLabel[];
  /** Ascending, null for those that are not known; at most `rttsMax` of them. */
  readonly rttsMs: readonly (number | null)[];
  readonly replies: number;
}

/** Round-trip times of one cell and router that are handed out; more say nothing new of a path. */
const rttsMax = 100;

interface CellRow {
  readonly agent: string;
  readonly target: string;
  readonly protocol: number;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  readonly sent: number;
  readonly answers: readonly AnswerRow[];
}

type AnswerRow = readonly [
  from: string,
  protocol: number,
  type: number,
  code: number,
  labels: readonly LabelRow[],
  rtts: readonly number[],
  replies: number,
];

/** Cells by agent, target, protocol, ports and TTL; at most `limit`, or `rowsDefault`. Rejects with StoreError. */
export async function* queryPaths(
  store: ColumnStore,
  filter: ReplyFilter,
  limit: number = rowsDefault,
): AsyncGenerator<PathCell, void, undefined> {
  const [replies, probes] = [repliesFrom(filter), probeCondition(filter)];
  const sql = `
    SELECT agent, hex(dst) AS target, protocol, srcPort, dstPort, ttl,
      toUInt32(sum(submitted)) AS sent, groupArrayArray(found) AS answers
    FROM (
      SELECT ${probeKey}, uniqExact(measurement_id, probe_src_addr, probe_index) AS submitted,
        CAST([], 'Array(Tuple(String, UInt8, UInt8, UInt8, Array(Tuple(UInt32, UInt8, UInt8, UInt8)),
          Array(UInt16), UInt32))') AS found
      FROM measure.probes WHERE ${probes.sql} GROUP BY agent, dst, protocol, srcPort, dstPort, ttl
      UNION ALL
      SELECT ${replyKey}, 0 AS submitted,
        [(hex(reply_src_addr), reply_protocol, reply_icmp_type, reply_icmp_code, anyLast(reply_mpls_labels),
          groupArraySorted(${rttsMax})(rtt), toUInt32(count()))] AS found
      FROM ${replies.sql}
      GROUP BY agent, dst, protocol, srcPort, dstPort, ttl,
        reply_src_addr, reply_protocol, reply_icmp_type, reply_icmp_code
    )
    GROUP BY agent, dst, protocol, srcPort, dstPort, ttl
    ORDER BY agent, dst, protocol, srcPort, dstPort, ttl
    LIMIT {limit:UInt64}`;
  const params = { ...replies.params, ...probes.params, limit };
  for await (const row of rowsOf<CellRow>(store, { sql, params })) {
    yield { ...row, target: Uint8Array.fromHex(row.target), answers: row.answers.map(answerOf) };
  }
}

function answerOf([from, replyProtocol, icmpType, icmpCode, labels, rtts, replies]: AnswerRow): PathAnswer {
  return {
    from: Uint8Array.fromHex(from),
    replyProtocol,
    icmpType,
    icmpCode,
    labels: labels.map(labelOf),
    rttsMs: rtts.map(rttMsOf),
    replies,
  };
}
