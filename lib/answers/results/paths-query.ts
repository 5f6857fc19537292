/**
 * Paths in SQL: the replies by flow and TTL, turned into hops with exact figures inside the store.
 *
 * The rules are those of lib/measuring/paths/hops.ts: a flow belongs to a hop up to its end (the lowest TTL at which
 * the target, from any address, or an ICMP "unreachable" replied); unanswered probes count against the router with most
 * replies at their flow and TTL; copies of a reply count as one; an open TCP port has no loss. Figures of round-trip
 * times are those of lib/measuring/paths/rtt-summary.ts.
 */

import { isEchoReplySql } from "../../engines/store/clickhouse/echo-reply-sql.ts";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../engines/store/clickhouse/probe-key.ts";
import { isTimedSql, rttUsSql } from "../../engines/store/clickhouse/rtt-sql.ts";
import { ianaNumber } from "../../net/packet/probe.ts";
import { rewrittenBits } from "../../net/packet/reply.ts";
import { contextKey } from "./context-finders.ts";
import { hopRoutersMax, hopRoutersOfWidePath, marksMax, pathRoutersMax } from "./limits.ts";
import type { WindowSources } from "./target-pages.ts";
import { address } from "./value-forms.ts";

/**
 * A row for each path, in the form of `pathRowSchema`, by target, agent and protocol; with a limited random sample of
 * each router's round-trip times; with their context keys if requested.
 */
export function pathsSql({ replies, probes, isContextAsked }: WindowSources, samplesMax: number): string {
  return `WITH answers AS (${answers(replies)}), cells AS (${cells(probes)}), placed AS (${placed}),
      nodes AS (${nodes(samplesMax)})
    ${paths(isContextAsked)}`;
}

/**
 * One router's replies to one flow and TTL: `probesOf` the probes, `heard` their number, `count` all replies; `rtts` in
 * the order of the replies, in microseconds.
 */
function answers(replies: string): string {
  return `SELECT ${cellKey}, router, count() AS count, groupUniqArray(probe) AS probesOf, length(probesOf) AS heard,
      arrayMap(timed -> timed.2, arraySort(groupArrayIf((at, rttUs), isTimed))) AS rtts,
      max((at, reply_protocol, reply_icmp_type, reply_icmp_code)) AS last,
      argMaxIf(reply_mpls_labels, at, notEmpty(reply_mpls_labels)) AS labels,
      max(router = dst OR ${isEchoReplySql()}) AS isOwn,
      isOwn OR max(if(reply_protocol = 1, reply_icmp_type = 3, reply_protocol != 6 AND reply_icmp_type = 1)) AS isEnd,
      max(reply_protocol = 6 AND bitAnd(reply_icmp_code, 4) = 0) AS isOpenPort,
      groupUniqArray(${marksMax})((isQuote, reply_quoted_traffic_class, reply_next_hop_mtu, reply_rewritten,
        bitAnd(reply_rewritten, ${rewrittenBits.source}) = 0 ? '' : hex(reply_quoted_src_addr),
        toString(reply_site))) AS marks
    FROM (
      SELECT ${replyKey}, ${answeredProbe} AS probe, reply_src_addr AS router, time_received_ns AS at,
        ${rttUsSql()} AS rttUs, ${isTimedSql} AS isTimed,
        reply_protocol, reply_icmp_type, reply_icmp_code, reply_mpls_labels,
        reply_quoted_traffic_class, reply_next_hop_mtu, reply_rewritten, reply_quoted_src_addr, reply_site,
        reply_protocol IN (${ianaNumber.icmp}, ${ianaNumber.icmpv6}) AND NOT (${isEchoReplySql()}) AS isQuote
      FROM ${replies})
    GROUP BY ${cellKey}, router`;
}

/**
 * All probes of one flow with one TTL; the first of `routers` is the one with most replies. Each becomes a row with all
 * of them, so they are limited.
 */
function cells(probes: string): string {
  return `SELECT ${cellKey}, sum(submitted) AS sent, uniqExactArray(answered) AS answers, sum(count) AS replies,
      max(ended) AS isEnd, max(opened) AS isOpenPort,
      sum(length(found)) AS routerCount,
      arraySlice(arraySort(router -> (-router.1, router.2), groupArrayArray(found)), 1, ${hopRoutersMax}) AS routers
    FROM (
      SELECT ${cellKey}, toUInt64(0) AS submitted, probesOf AS answered, count, isEnd AS ended, isOpenPort AS opened,
        [(heard, router, rtts, last, labels, isOwn, marks)] AS found
      FROM answers
      UNION ALL
      SELECT ${probeKey}, uniqExact(measurement_id, probe_src_addr, probe_index) AS submitted, [], 0, 0, 0, []
      FROM ${probes} GROUP BY ${cellKey})
    GROUP BY ${cellKey}`;
}

/** A row for each router of a cell, or one without a router; the first row has the probes sent and lost. */
const placed = `
  SELECT agent, dst, protocol, srcPort, dstPort, ttl,
    minIf(ttl, isEnd) OVER (PARTITION BY agent, dst, protocol, srcPort, dstPort) AS endTtl,
    dense_rank() OVER (PARTITION BY agent, dst, protocol ORDER BY srcPort, dstPort) - 1 AS flow,
    arrayJoin(range(1, greatest(length(routers), 1) + 1)) AS place,
    routers[place] AS found,
    place = 1 AND NOT isOpenPort ? greatest(sent, answers) - answers : 0 AS unanswered,
    place = 1 ? (sent = 0 ? answers : sent) : 0 AS known,
    place = 1 ? (sent = 0 ? answers : least(sent, answers)) : 0 AS answeredProbes,
    place = 1 ? replies - answers : 0 AS copies,
    place = 1 ? routerCount - length(routers) : 0 AS others
  FROM cells`;

/** A row for each router of a hop; replies beyond the end of their flows have a row of their own. */
function nodes(samplesMax: number): string {
  const samples = samplesMax === 0 ? "[]" : `groupArraySampleArray(${samplesMax}, 1)(found.3)`;
  return `SELECT agent, dst, protocol, ttl, endTtl = 0 OR ttl <= endTtl AS isWithin,
    found.1 > 0 ? found.2 : NULL AS router,
    groupUniqArray((srcPort, dstPort, endTtl)) AS ports, arraySort(groupUniqArray(flow)) AS flows,
    sum(known) AS submitted, sum(answeredProbes) AS answeredOfThem, sum(copies) AS duplicates,
    sum(others) AS moreNodes,
    sum(found.1) AS answered, sum(unanswered) AS lost,
    sum(length(found.3)) AS timed, minArray(found.3) AS low,
    quantilesExactInclusiveArray(0.1, 0.5, 0.9)(found.3) AS quantiles, maxArray(found.3) AS high,
    avgArray(found.3) AS mean, stddevPopStableArray(found.3) AS deviation,
    sum(arraySum(arrayMap(step -> abs(step), arrayDifference(found.3)))) AS steps,
    sum(greatest(length(found.3), 1) - 1) AS stepCount,
    ${samples} AS samples,
    groupUniqArrayArray(${marksMax})(found.7) AS marks,
    max(found.6) AS isOwn, max(found.4) AS last, argMaxIf(found.5, found.4, notEmpty(found.5)) AS labels
  FROM placed GROUP BY agent, dst, protocol, ttl, isWithin, router`;
}

/** The first nodes of each hop. All are sorted by TTL, so that they can be numbered within their hops. */
function firstOfHops(sorted: string): string {
  const place = "arrayEnumerateUniq(arrayMap(node -> node.1, found))";
  const most = `length(found) > ${pathRoutersMax} ? ${hopRoutersOfWidePath} : ${hopRoutersMax}`;
  return `arrayMap(found -> arrayFilter((node, place) -> place <= (${most}), found, ${place}), [${sorted}])[1]`;
}

/** Each node's context key, in the order of the nodes. */
const contextKeys = `, arrayMap(node -> node.4, ${firstOfHops(`arraySort(groupArrayIf((ttl, flows[1], hex(router),
    ifNull(concat(toString(toDate(last.1, 'UTC')), ' ', ${address.sql("router")}), '')), isWithin))`)})
    AS ${contextKey}s`;

/** What each node's replies quote, in the order of the nodes. */
const nodeMarks = `arrayMap(node -> node.4, ${firstOfHops(
  "arraySort(groupArrayIf((ttl, flows[1], hex(router), router IS NULL ? [] : arraySort(marks)), isWithin))",
)}) AS marks`;

/** The unit of rows, as clients of earlier versions read them too. */
function tenthMs(us: string): string {
  return `arrayMap(us -> us / 100, ${us})`;
}

function paths(isContextAsked: boolean): string {
  return `
  SELECT agent, hex(dst) AS target, protocol, arraySort(groupUniqArrayArray(ports)) AS flowEnds,
    max(isOwn) AS isReached, toUInt32(sum(submitted)) AS known, toUInt32(sum(answeredOfThem)) AS answeredProbes,
    toUInt32(sum(duplicates)) AS copies, min(ttl) AS firstTtl, maxIf(ttl, answered > 0) AS lastAnsweredTtl,
    ${firstOfHops(`arraySort(groupArrayIf((ttl, flows[1], hex(router), flows, toUInt32(answered), toUInt32(lost),
      timed = 0 ? [] : arrayConcat(${tenthMs(`arrayConcat([toFloat64(low)], quantiles,
        [toFloat64(high), mean, deviation, toFloat64(steps)])`)}, [toFloat64(stepCount)]),
      ${tenthMs("arraySort(samples)")}, last.2, last.3, last.4, labels), isWithin))`)} AS nodes,
    ${nodeMarks}, sumMapIf([ttl], [toUInt32(1 + moreNodes)], isWithin) AS hopNodes
    ${isContextAsked ? contextKeys : ""}
  FROM nodes GROUP BY agent, dst, protocol ORDER BY dst, agent, protocol`;
}
