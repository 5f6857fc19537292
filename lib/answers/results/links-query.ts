/**
 * The query of links and of nodes: the routers on each flow, TTL by TTL, whatever the destination.
 *
 * A flow's TTL is attributed to the router that answered most of its probes, and among equals to the lowest address. A
 * flow ends at the lowest TTL at which its destination, or an ICMP "unreachable", replied. A link joins two consecutive
 * TTLs of one flow. A TTL that was probed without a reply, between two with replies, is a silent hop: it is identified
 * by its TTL and the last router before it. A TTL that was not probed is left out.
 *
 * The measurements of one campaign run count as one: a discovery probes a flow's TTLs in several rounds, each of which
 * is a measurement of its own.
 */

import { isEchoReplySql } from "../../engines/store/clickhouse/echo-reply-sql.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../engines/store/clickhouse/probe-key.ts";
import {
  type CampaignRun,
  probeCondition,
  type ReplyFilter,
} from "../../engines/store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../engines/store/clickhouse/reply-source.ts";
import type { RowQuery } from "../../engines/store/clickhouse/rows.ts";
import { isTimedSql, rttUsSql } from "../../engines/store/clickhouse/rtt-sql.ts";
import { runNumberSql } from "./run-columns.ts";

/** Stands for an unknown router; no router has this address. */
export const nobody = "toIPv6('::')";

/** The parts after FROM, with `side`: 1 = the measurement shown, 0 = the one that it is compared with. */
export interface LinkSources extends Pick<RowQuery, "params"> {
  readonly replies: string;
  readonly probes: string;
}

export function linkSources(filter: ReplyFilter, against?: ReplyFilter): LinkSources {
  const own = sideOf(filter, 1);
  if (against === undefined) {
    return own;
  }
  const other = sideOf(against, 0);
  return {
    replies: `(${own.replies} UNION ALL ${renamed(other.replies)})`,
    probes: `(${own.probes} UNION ALL ${renamed(other.probes)})`,
    params: {
      ...own.params,
      ...Object.fromEntries(Object.entries(other.params).map(([name, value]) => [`${name}Against`, value])),
    },
  };
}

function sideOf(filter: ReplyFilter, side: 0 | 1): LinkSources {
  const [replies, probes, look] = [repliesFrom(filter), probeCondition(filter), lookSql(filter.runs)];
  return {
    replies: `(SELECT *, ${side} AS side, ${look} AS look FROM ${replies.sql})`,
    probes: `(SELECT *, ${side} AS side, ${look} AS look FROM measure.probes WHERE ${probes.sql})`,
    params: { ...replies.params, ...probes.params },
  };
}

/** The unit that a row belongs to: its measurement, or the campaign's run, as text. */
function lookSql(runs: readonly CampaignRun[] = []): string {
  const own = "toString(measurement_id)";
  const hasParts = new Set(runs.map(({ run }) => run)).size < runs.length;
  return hasParts ? `toString(${runNumberSql(own, runs)})` : own;
}

/** Renames parameters, as two filters use the same names. */
function renamed(sql: string): string {
  return sql.replaceAll(/\{(\w+):/g, "{$1Against:");
}

const flow = "side, look, agent, dst, protocol, srcPort, dstPort";

/** Whether a reply ends its flow. */
const isEnd = `router = dst OR ${isEchoReplySql()}
  OR if(reply_protocol = 1, reply_icmp_type = 3, reply_protocol != 6 AND reply_icmp_type = 1)`;

/** Columns of the flow, `ttl`, `router`, and the `figures` of its replies. */
function answersSql(replies: string, figures: string): string {
  return `
    SELECT side, look, ${cellKey}, router, ${figures}, max(${isEnd}) AS ends
    FROM (
      SELECT *, ${replyKey}, reply_src_addr AS router,
        toUnixTimestamp64Nano(time_received_ns) AS at
      FROM ${replies} WHERE reply_src_addr != ${nobody})
    GROUP BY side, look, ${cellKey}, router`;
}

/**
 * A row for each flow with a reply: `hops` as (TTL, router or none, time of its first reply), from the first to the
 * last reply; `known` has, in the place of each silent hop, the router before it.
 */
function flowsSql({ replies, probes }: LinkSources): string {
  const cells = `
    SELECT side, look, ${cellKey}, argMin(router, (-heard, router)) AS first,
      argMin(firstNs, (-heard, router)) AS at, max(ends) AS isEnd
    FROM (
      SELECT side, look, ${cellKey}, router, toInt64(heard) AS heard, firstNs, ends
      FROM (${answersSql(replies, `uniqExact(${answeredProbe}) AS heard, min(at) AS firstNs`)})
      UNION ALL
      SELECT DISTINCT side, look, ${probeKey}, ${nobody}, toInt64(0), toInt64(0), 0
      FROM ${probes})
    GROUP BY side, look, ${cellKey}`;
  return `
    SELECT ${flow}, minIf(ttl, isEnd) AS endTtl,
      arrayFilter(hop -> endTtl = 0 OR hop.1 <= endTtl, arraySort(groupArray((ttl, first, at)))) AS within,
      arrayFilter(hop -> hop.2 != ${nobody}, within) AS answered,
      arrayFilter(hop -> hop.1 >= answered[1].1 AND hop.1 <= answered[-1].1, within) AS hops,
      arrayFill(hop -> hop.2 != ${nobody}, hops) AS known
    FROM (${cells}) GROUP BY ${flow} HAVING notEmpty(answered)`;
}

const linkKey = "silentTtl, near, far, after";

/**
 * A row for each link: `near`, `far` (none = silent), `after` (the router before a silent end), `lowTtl`, `highTtl`
 * (of `near`), `flows`, `destinations`, `agents`, `firstNs`; and of the other measurement `flowsBefore`,
 * `destinationsBefore`.
 */
export function linksSql(sources: LinkSources): string {
  const steps = `
    SELECT side, agent, dst, arrayJoin(arrayFilter(
        step -> step.2 = step.1 + 1 AND (step.3 != step.4 OR step.3 = ${nobody}),
        arrayMap((near, far, last) -> (near.1, far.1, near.2, far.2, last.2, greatest(last.3, far.3)),
          arrayPopBack(hops), arrayPopFront(hops), arrayPopBack(known)))) AS step,
      step.1 AS ttl, step.3 AS near, step.4 AS far,
      near = ${nobody} OR far = ${nobody} ? step.5 : ${nobody} AS after, step.6 AS at,
      after = ${nobody} ? 0 : ttl AS silentTtl
    FROM (${flowsSql(sources)})`;
  return `
    SELECT ${linkKey}, min(low) AS lowTtl, max(high) AS highTtl, sum(now) AS flows, sum(before) AS flowsBefore,
      countIf(now > 0) AS destinations, countIf(before > 0) AS destinationsBefore,
      length(groupUniqArrayArray(agentIds)) AS agents, min(first) AS firstNs
    FROM (
      SELECT ${linkKey}, dst, min(ttl) AS low, max(ttl) AS high, countIf(side = 1) AS now,
        countIf(side = 0) AS before, groupUniqArray(agent) AS agentIds, min(at) AS first
      FROM (${steps}) GROUP BY ${linkKey}, dst)
    GROUP BY ${linkKey}`;
}

/**
 * Figures of a node's replies: times in microseconds, the last label stack, TTLs of the replies.
 */
const figures = `count() AS heard, groupArrayIf(${rttUsSql()}, ${isTimedSql}) AS times,
  max(at) AS last, min(at) AS first, max((notEmpty(reply_mpls_labels) ? at : 0, reply_mpls_labels)) AS labels,
  min(reply_ttl) AS lowReplyTtl, max(reply_ttl) AS highReplyTtl`;

/**
 * A row for each router that answered within its flows, and for each silent hop: `router` (none = silent), `after`,
 * `lowTtl`, `highTtl`, `flows`, `destinations`, `agents`, `answers`, `times` (lowest, median, highest), `labels`,
 * `lowReplyTtl`, `highReplyTtl`, `isTarget`, `firstNs`, `lastNs` (0 = silent).
 */
export function nodesSql(sources: LinkSources): string {
  const own = flow.replace("side, look, ", "");
  return `
    SELECT router, ${nobody} AS after, min(low) AS lowTtl, max(high) AS highTtl, sum(flowCount) AS flows,
      count() AS destinations, length(groupUniqArrayArray(agentIds)) AS agents, sum(heardOf) AS answers,
      quantilesExactInclusiveArray(0, 0.5, 1)(timesOf) AS times, max(timed) > 0 AS isTimed,
      max(labelsOf).2 AS labels, min(lowOf) AS lowReplyTtl, max(highOf) AS highReplyTtl, max(isDst) AS isTarget,
      min(firstOf) AS firstNs, max(lastOf) AS lastNs
    FROM (
      SELECT router, dst, min(ttl) AS low, max(ttl) AS high, uniqExact(look, ${own}) AS flowCount,
        groupUniqArray(agent) AS agentIds, sum(heard) AS heardOf, groupArrayArray(times) AS timesOf,
        length(timesOf) AS timed, max(labels) AS labelsOf, min(lowReplyTtl) AS lowOf, max(highReplyTtl) AS highOf,
        router = dst AS isDst, min(first) AS firstOf, max(last) AS lastOf
      FROM (
        SELECT *, minIf(ttl, ends) OVER (PARTITION BY ${flow}) AS endTtl
        FROM (${answersSql(sources.replies, figures)}))
      WHERE endTtl = 0 OR ttl <= endTtl GROUP BY router, dst)
    GROUP BY router
    UNION ALL
    SELECT ${nobody} AS router, after, ttl, ttl, sum(count), count(), length(groupUniqArrayArray(agentIds)), 0,
      [], 0, [], 0, 0, 0, toInt64(0), toInt64(0)
    FROM (
      SELECT silent.1 AS ttl, silent.2 AS after, dst, count() AS count, groupUniqArray(agent) AS agentIds
      FROM (
        SELECT agent, dst, arrayJoin(arrayMap((hop, last) -> (hop.1, last.2),
          arrayFilter(hop -> hop.2 = ${nobody}, hops),
          arrayFilter((last, hop) -> hop.2 = ${nobody}, known, hops))) AS silent
        FROM (${flowsSql(sources)}))
      GROUP BY ttl, after, dst)
    GROUP BY ttl, after`;
}
