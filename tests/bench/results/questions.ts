/** The questions of the bench, each with the same in SQL, by one statement and without Vantage around it. */
import { samplesMax } from "../../../lib/answers/results/limits.ts";
import { pathsSql } from "../../../lib/answers/results/paths-query.ts";
import { selectOf } from "../../../lib/answers/results/sql-columns.ts";
import { replyColumns } from "../../../lib/answers/results/views/replies.ts";
import type { ViewName } from "../../../lib/answers/results/views.ts";
import { probeKey, replyKey } from "../../../lib/engines/store/clickhouse/probe-key.ts";

const cell = "agent, dst, protocol, srcPort, dstPort, ttl";

/** SQL for the measurement `{measurementId:String}`. */
export function bareSql(view: Extract<ViewName, "replies" | "paths" | "loss" | "catchment">): string {
  const mine = "measurement_id = {measurementId:String}";
  switch (view) {
    case "replies":
      return `SELECT ${selectOf(replyColumns, "ndjson")}
        FROM (SELECT *, 'exact' AS attribution FROM measure.replies WHERE ${mine}) AS reply
        ORDER BY reply.time_received_ns`;
    case "paths":
      return pathsSql(
        {
          ...{ replies: `measure.replies WHERE ${mine}`, probes: `measure.probes WHERE ${mine}` },
          ...{ isContextAsked: false, runs: null, chosenSource: null, history: null },
        },
        samplesMax,
      );
    case "loss":
      return `SELECT agent, dst, sum(sent), sum(least(sent, got)), sumIf(got, sent > 0) FROM (
          SELECT agent, dst, sum(isProbe) AS sent, sum(isReply) AS got FROM (
            SELECT ${probeKey}, uniqExact(probe_src_addr, probe_index) AS isProbe, 0 AS isReply
            FROM measure.probes WHERE ${mine} GROUP BY ${cell}
            UNION ALL
            SELECT ${replyKey}, 0, count() FROM measure.replies WHERE ${mine} GROUP BY ${cell})
          GROUP BY ${cell})
        GROUP BY agent, dst ORDER BY dst, agent`;
    case "catchment":
      return `SELECT probe_agent, probe_instance, agent_id, count(), uniqExact(probe_dst_addr),
          uniqExact(reply_src_addr)
        FROM measure.replies WHERE ${mine} GROUP BY probe_agent, probe_instance, agent_id`;
  }
}
