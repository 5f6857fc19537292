/**
 * Queries as people write them: own ones over `replies`, on all rows, a day, a measurement and a destination, and those
 * in the published forms over `saimiris.replies`.
 */

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

const filters = ["1", lastDay, `measurement_id = '${measurement}'`, `probe_dst_addr = ${dst}`];

const published = [
  "count() FROM saimiris.replies",
  // By the hour: rows must not leave the window between two turns.
  "count() FROM saimiris.replies WHERE time_received_ns >= toStartOfHour(now()) - INTERVAL 1 DAY",
  `agent_id, probe_src_addr, probe_dst_addr, probe_ttl, reply_src_addr, rtt FROM saimiris.replies
    WHERE probe_src_addr = toIPv6('2001:db8::1') AND probe_dst_addr = ${dst} ORDER BY ALL LIMIT 1000`,
  "probe_ttl, count(), round(avg(rtt) / 10, 1) FROM saimiris.replies GROUP BY probe_ttl ORDER BY 1",
  "uniqExact(reply_src_addr), max(rtt) FROM saimiris.replies",
  "agent_id, uniqExact(probe_dst_addr) FROM saimiris.replies GROUP BY agent_id",
  "count() FROM saimiris.replies WHERE reply_icmp_type = 3 AND probe_protocol = 17",
  `groupArray(toString(h)) FROM (SELECT reply_src_addr AS h FROM saimiris.replies
    WHERE probe_dst_addr = ${dst} ORDER BY probe_ttl, h)`,
  "reply_src_addr, count() AS n FROM saimiris.replies GROUP BY reply_src_addr ORDER BY n DESC, 1 LIMIT 10",
  `toStartOfFiveMinutes(time_received_ns) AS t, count(), avg(rtt) FROM saimiris.replies
    WHERE ${lastDay} GROUP BY t ORDER BY t`,
];

/** Fifty, by a name. */
export const queries: readonly { readonly name: string; readonly sql: string }[] = [
  ...filters.flatMap((filter, f) =>
    groups.map(([keys, values], g) => ({
      name: `${g + 1} of ${f + 1}`,
      sql: `SELECT ${keys}, ${values} FROM replies WHERE ${filter} GROUP BY ${keys} ORDER BY ${keys} LIMIT 1000`,
    })),
  ),
  ...published.map((rest, i) => ({ name: `published ${i + 1}`, sql: `SELECT ${rest}` })),
];
