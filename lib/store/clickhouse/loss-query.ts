/** How many of the submitted probes were answered, for each agent and destination. */
import type { Address } from "../../ip/address.ts";
import { rowsDefault } from "./limits.ts";
import type { ColumnStore } from "./open.ts";
import { probeKey, replyKey } from "./probe-key.ts";
import { probeCondition, type ReplyFilter } from "./reply-filter.ts";
import { repliesFrom } from "./reply-source.ts";
import { rowsOf } from "./rows.ts";

export interface Loss {
  readonly agent: string;
  readonly destination: Address;
  /** Probes that were submitted; a probe that was submitted twice counts twice. */
  readonly submitted: number;
  /** Of them, those with an answer from anywhere. */
  readonly answered: number;
  /** All answers; more than `answered` where something answered twice. */
  readonly replies: number;
}

interface LossRow extends Omit<Loss, "destination"> {
  readonly destination: string;
}

/**
 * By agent and destination; at most `limit`, or `rowsDefault`. Only what was submitted counts: an answer to a probe
 * that is not in `measure.probes` is in none of the figures. Rejects with StoreError.
 */
export async function* queryLoss(
  store: ColumnStore,
  filter: ReplyFilter,
  limit: number = rowsDefault,
): AsyncGenerator<Loss, void, undefined> {
  const [replies, probes] = [repliesFrom(filter), probeCondition(filter)];
  const sql = `
    SELECT agent, hex(dst) AS destination, toUInt32(sum(submits)) AS submitted,
      toUInt32(sum(least(submits, heard))) AS answered, toUInt32(sumIf(heard, submits > 0)) AS replies
    FROM (
      SELECT agent, dst, sum(isProbe) AS submits, sum(isReply) AS heard
      FROM (
        SELECT DISTINCT ${probeKey}, cityHash64(measurement_id, probe_src_addr, probe_index) AS one,
          1 AS isProbe, 0 AS isReply
        FROM measure.probes WHERE ${probes.sql}
        UNION ALL
        SELECT ${replyKey}, toUInt64(0) AS one, 0 AS isProbe, 1 AS isReply
        FROM ${replies.sql}
      )
      GROUP BY agent, dst, protocol, srcPort, dstPort, ttl
    )
    GROUP BY agent, dst HAVING submitted > 0 ORDER BY agent, dst LIMIT {limit:UInt64}`;
  const params = { ...replies.params, ...probes.params, limit };
  for await (const row of rowsOf<LossRow>(store, { sql, params })) {
    yield { ...row, destination: Uint8Array.fromHex(row.destination) };
  }
}
