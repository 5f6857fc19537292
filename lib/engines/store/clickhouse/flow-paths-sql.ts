/** The paths of flows, by their replies. */
import { cellKey, replyKey } from "./probe-key.ts";

/**
 * A row for each flow of a measurement: `measurement, agent, dst`, `hops` as (TTL, router) up to the first reply of the
 * destination, without unanswered ones, and `atNs` of its first reply. If several routers replied at a TTL, the first
 * counts.
 */
export function flowPathsSql(replies: string): string {
  return `
    SELECT measurement, agent, dst, min(firstNs) AS atNs,
      minIf(ttl, router = dst) AS endTtl,
      arrayFilter(hop -> endTtl = 0 OR hop.1 <= endTtl, arraySort(groupArray((ttl, router)))) AS hops
    FROM (
      SELECT measurement, ${cellKey}, argMin(router, at) AS router, min(at) AS firstNs
      FROM (
        SELECT toString(measurement_id) AS measurement, ${replyKey}, reply_src_addr AS router,
          toUnixTimestamp64Nano(time_received_ns) AS at
        FROM ${replies})
      GROUP BY measurement, ${cellKey})
    GROUP BY measurement, agent, dst, protocol, srcPort, dstPort`;
}
