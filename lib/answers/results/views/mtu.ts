/**
 * How large packets may be to reach each hop, by the sizes that were probed without fragmentation.
 *
 * The rules are those of lib/measuring/paths/mtu-search.ts. Silence differs from loss only where enough was lost: by
 * the share of smaller probes that the hop answered, chance explains it in fewer than one case in twenty.
 */
import * as v from "valibot";
import { answeredProbe, cellKey, probeKey, replyKey } from "../../../engines/store/clickhouse/probe-key.ts";
import { ianaNumber, sizeBytesMin } from "../../../net/packet/probe.ts";
import { figureRowsDefault } from "../limits.ts";
import { column, viewOfColumns } from "../sql-columns.ts";
import { figurePages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

/** Larger probes that are lost prove nothing if they are fewer. */
const lostMin = 3;
const chanceMax = 0.05;

const limits: forms.ValueForm = {
  ...forms.text,
  schema: v.nullable(v.picklist(["reported", "silent", "unclear"])),
};
/** 0 stands for an unknown one in the query. */
const bytes = (name: string, from: string, meaning: string, head: string) =>
  column(name, `nullIf(toUInt32(${from}), 0)`, forms.nullable(forms.count), { meaning, head });
const counted = (name: string, from: string, meaning: string) =>
  column(name, `toUInt32(${from})`, forms.count, { meaning });
const nullableAddress: forms.ValueForm = {
  ...forms.address,
  sql: (from) => `if(${from} = toIPv6('::'), NULL, ${forms.address.sql(from)})`,
  schema: v.nullable(forms.address.schema),
};

const columns = [
  column("agent", "found.agent", forms.text),
  column("destination", "found.dst", forms.address),
  column("protocol", "found.protocol", forms.protocol),
  column("ttl", "found.ttl", forms.u8),
  column("router", "found.router", nullableAddress, { meaning: "that answered at this TTL; null = none" }),
  bytes("mtu_bytes", "found.mtu", "IP length of the largest probe that was answered", "MTU"),
  column("limit", "found.why", limits, {
    meaning:
      "why it is smaller than at the hops before: reported by a router; silent, as larger probes are lost and " +
      "smaller ones are not; unclear, where that may be chance; null = it is not smaller",
  }),
  bytes("reported_mtu_bytes", "found.reportedMtu", "what that router's next hop takes", "reported MTU"),
  column("reported_by", "found.reportedBy", nullableAddress),
  counted("larger_submitted", "found.larger", "larger probes, up to what the hops before take"),
  counted("larger_lost", "found.lost", "of them, those without any answer"),
  counted("smaller_submitted", "found.smaller", "probes of this size, smaller ones and the shortest"),
  counted("smaller_answered", "found.smallerAnswered", "of them"),
];

const isIpv4 = "probe_dst_addr BETWEEN toIPv6('::ffff:0.0.0.0') AND toIPv6('::ffff:255.255.255.255')";
const noAddress = "toIPv6('::')";
/** Sorts behind all reports; a report sorts by its MTU, and one without behind those. */
const noReport = `(toUInt32(65536), toUInt32(0), ${noAddress})`;

/** A reply's probe: its IP length, or 0 for one as short as its TTL allows (see `sizeBytesMin`). */
const replySize = `if(reply_protocol = ${ianaNumber.udp}, 0, if(${isIpv4},
  probe_size < ${sizeBytesMin[4]} ? 0 : probe_size, probe_size + 40 < ${sizeBytesMin[6]} ? 0 : probe_size + 40))`;

const isTooBig = `(reply_protocol = ${ianaNumber.icmp} AND reply_icmp_type = 3 AND reply_icmp_code = 4)
  OR (reply_protocol = ${ianaNumber.icmpv6} AND reply_icmp_type = 2)`;

/** A row for each size at each TTL: `hits` probes were answered, `refusals` were too big, by the lowest report. */
function bySize({ replies, probes }: WindowSources): string {
  return `SELECT agent, dst, protocol, ttl, size, sum(sent) AS submitted, least(sum(hit), submitted) AS hits,
      least(sum(refused), submitted - hits) AS refusals, max(from) AS router, min(report) AS lowest
    FROM (
      SELECT ${probeKey}, toUInt32(probe_size_bytes) AS size,
        uniqExact(measurement_id, probe_src_addr, probe_index) AS sent, toUInt64(0) AS hit, toUInt64(0) AS refused,
        ${noAddress} AS from, ${noReport} AS report
      FROM ${probes} AND (probe_size_bytes = 0 OR probe_dont_fragment = 1 OR NOT (${isIpv4}))
      GROUP BY ${cellKey}, size
      UNION ALL
      SELECT ${cellKey}, size, toUInt64(0) AS sent, uniqExactIf(probe, NOT isRefusal) AS hit,
        uniqExactIf(probe, isRefusal) AS refused, maxIf(source, NOT isRefusal) AS from,
        refused = 0 ? ${noReport}
          : minIf((toUInt32(mtu = 0 ? 65535 : mtu), toUInt32(mtu), source), isRefusal) AS report
      FROM (
        SELECT ${replyKey}, ${answeredProbe} AS probe, reply_src_addr AS source, ${isTooBig} AS isRefusal,
          reply_next_hop_mtu AS mtu, toUInt32(${replySize}) AS size
        FROM ${replies})
      GROUP BY ${cellKey}, size
    )
    GROUP BY agent, dst, protocol, ttl, size HAVING submitted > 0`;
}

/** A row for each TTL to which probes with a size were sent; `before` is what the hops before take, 0 = unknown. */
function byHop(sources: WindowSources): string {
  return `SELECT *, min(mtu = 0 ? 65536 : mtu) OVER (PARTITION BY agent, dst, protocol ORDER BY ttl
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (
      SELECT agent, dst, protocol, ttl, max(router) AS router, maxIf(size, size > 0 AND hits > 0) AS mtu,
        groupArray((size, submitted, hits, refusals, lowest)) AS sizes
      FROM (${bySize(sources)}) GROUP BY agent, dst, protocol, ttl HAVING max(size) > 0
    )`;
}

function found(sources: WindowSources): string {
  return `SELECT agent, dst, protocol, ttl, router, mtu,
      arrayFilter(one -> one.1 > mtu AND (before = 0 OR one.1 <= before), sizes) AS above,
      arrayFilter(one -> one.1 <= mtu, sizes) AS others,
      arraySum(arrayMap(one -> one.2, above)) AS larger, arraySum(arrayMap(one -> one.4, above)) AS refused,
      larger - refused AS lost,
      arraySum(arrayMap(one -> one.2, others)) AS smaller,
      arraySum(arrayMap(one -> one.3, others)) AS smallerAnswered,
      arraySort(arrayConcat([${noReport}], arrayMap(one -> one.5, above)))[1] AS lowest,
      tupleElement(lowest, 2) AS reportedMtu, tupleElement(lowest, 3) AS reportedBy,
      pow((smaller - smallerAnswered + 1) / (smaller + 2), lost) AS chance,
      multiIf(refused > 0, 'reported', smallerAnswered = 0 OR lost = 0, NULL,
        lost >= ${lostMin} AND chance <= ${chanceMax}, 'silent', 'unclear') AS why
    FROM (${byHop(sources)})`;
}

export const mtuView: View = {
  name: "mtu",
  summary: "How large packets may be to reach each hop, and who limits them",
  description: [
    "By agent, destination, protocol and TTL, of probes with a size that no router may divide: IPv6, or IPv4 with df.",
    "Hops of several flows count together.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: figurePages(columns, found, "found.dst, found.agent, found.protocol, found.ttl"),
};
