/** The query for alias hints (alias-hints.ts): each address's IP identifications over time, and labels. */
import type { AnswerSeries } from "./alias-hints.ts";
import { aliasSamplesMax, graphNodesMax } from "./limits.ts";
import { type LinkSources, nobody } from "./links-query.ts";
import { address } from "./value-forms.ts";

export interface SeriesRow extends Omit<AnswerSeries, "ids"> {
  readonly atSecs: readonly number[];
  readonly numbers: readonly number[];
}

export function seriesOf({ atSecs, numbers, ...series }: SeriesRow): AnswerSeries {
  return { ...series, ids: numbers.map((id, i) => [atSecs[i] ?? 0, id] as const) };
}

/**
 * Rows by address, for a limited number of addresses. Time is cut into `aliasSamplesMax` parts, and the first reply in
 * each counts. An identification of 0, or one that repeats the probe's, is not from a counter.
 */
export function aliasSeriesSql({ replies }: Pick<LinkSources, "replies">): string {
  const source = `SELECT toString(agent_id) AS agent, reply_src_addr AS router, probe_ttl, reply_ttl,
      toUnixTimestamp64Nano(time_received_ns) AS at, reply_id,
      reply_protocol = 1 AND reply_id != 0 AND reply_id != probe_id AS isCounted,
      empty(reply_mpls_labels) ? 0 : reply_mpls_labels[1].1 AS label
    FROM ${replies} WHERE reply_protocol IN (1, 58) AND reply_src_addr != ${nobody}`;
  return `WITH assumeNotNull((SELECT (min(at), max(at)) FROM (${source}))) AS span
    SELECT address, agent, ttl, replyTtl, atSecs, numbers, labels FROM (
    SELECT ${address.sql("router")} AS address, agent, min(low) AS ttl,
      min(lowReply) = max(highReply) ? toNullable(min(lowReply)) : NULL AS replyTtl,
      arraySort(groupArrayIf(first, counted > 0)) AS sorted, arrayMap(one -> one.1 / 1e9, sorted) AS atSecs,
      arrayMap(one -> one.2, sorted) AS numbers,
      arraySort(groupUniqArrayArray(found)) AS labels
    FROM (
      SELECT agent, router, intDiv(${aliasSamplesMax} * (at - span.1), span.2 - span.1 + 1) AS part,
        min(probe_ttl) AS low, min(reply_ttl) AS lowReply, max(reply_ttl) AS highReply, countIf(isCounted) AS counted,
        minIf((at - span.1, reply_id), isCounted) AS first,
        groupUniqArrayIf(${aliasSamplesMax})(label, label > 15) AS found
      FROM (${source}) GROUP BY agent, router, part)
    GROUP BY agent, router HAVING length(sorted) > 1 OR notEmpty(labels)
      ORDER BY router, agent LIMIT ${graphNodesMax})`;
}
