/** Queries as people write them, over `replies` and `probes`: on all rows, on a measurement, on a destination. */

const measurement = "5a000000-0000-4000-8000-000000000002";
const dst = "toIPv6('2001:db8:1:0:1::1')";
const hour = "toStartOfHour(time_received_ns)";
const lastDay = "date >= today() - 1";

const groups: readonly [keys: string, values: string][] = [
  ["agent_id", "count()"],
  ["probe_ttl", "count(), avg(rtt)"],
  ["probe_protocol", "count(), countIf(reply_icmp_type = 3)"],
  ["date", "count(), uniq(probe_dst_addr)"],
  [hour, "count(), quantileExact(0.5)(rtt)"],
  ["reply_ttl", "count(), max(rtt)"],
  ["reply_icmp_type, reply_icmp_code", "count()"],
  ["probe_src_port", "count(), min(rtt), max(rtt)"],
  ["measurement_id", "count(), avg(rtt)"],
  ["reply_src_addr", "count() AS n"],
];

const filters = [
  "1",
  lastDay,
  `measurement_id = '${measurement}'`,
  `probe_dst_addr = ${dst}`,
  "rtt > 300 AND probe_ttl > 8",
];

/** Fifty, by a name. */
export const queries: readonly { readonly name: string; readonly sql: string }[] = filters.flatMap(
  (filter, f) =>
    groups.map(([keys, values], g) => ({
      name: `${g + 1} of ${f + 1}`,
      sql: `SELECT ${keys}, ${values} FROM replies WHERE ${filter} GROUP BY ${keys} ORDER BY ${keys} LIMIT 1000`,
    })),
);
