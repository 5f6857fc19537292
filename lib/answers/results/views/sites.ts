/** Which sites of a name server each agent reaches, by what they call themselves in answers to DNS probes. */
import { isTimedSql, rttUsSql } from "../../../engines/store/clickhouse/rtt-sql.ts";
import { ianaNumber } from "../../../net/packet/probe.ts";
import { figureRowsDefault } from "../limits.ts";
import { column, foundPages, percentSql, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const columns = [
  column("agent", "found.agent", forms.text, {
    meaning: "that sent the probes; if that is unknown, that received the answers",
  }),
  column("address", "found.server", forms.address, { meaning: "the name server's" }),
  column("site", "found.site", forms.text, {
    meaning: "what the site calls itself, by TXT or NSID; empty where its answers have no name",
  }),
  column("answers", "toUInt32(found.answers)", forms.count),
  column("share_percent", percentSql("found.answers", "found.answersOfServer"), forms.figure, {
    meaning: "of all answers of this name server to this agent",
    head: "share %",
  }),
  column("errors", "toUInt32(found.errors)", forms.count, { meaning: "answers with an error code" }),
  column("rtt_min_ms", "found.leastUs / 1000", forms.nullable(forms.figure), {
    meaning: "null when no time is known",
    head: "best ms",
  }),
  column("rtt_median_ms", "found.medianUs / 1000", forms.nullable(forms.figure), { head: "median ms" }),
];

/** Routers' errors about the same probes name no site. */
function found(replies: string): string {
  return `SELECT agent, server, site, count() AS answers, countIf(code NOT IN (0, 128)) AS errors,
      minOrNullIf(us, isTimed) AS leastUs, quantileExactOrNullIf(0.5)(us, isTimed) AS medianUs,
      sum(answers) OVER (PARTITION BY agent, server) AS answersOfServer
    FROM (SELECT if(length(probe_agent) = 0, agent_id, probe_agent) AS agent, probe_dst_addr AS server,
        reply_site AS site, reply_icmp_code AS code, ${rttUsSql()} AS us, ${isTimedSql} AS isTimed
      FROM ${replies} WHERE reply_protocol = ${ianaNumber.udp})
    GROUP BY agent, server, site`;
}

export const sitesView: View = {
  name: "sites",
  summary: "Which sites of a name server each agent reaches",
  description: "By agent, name server and site, of answers to DNS probes.",
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  pages: foundPages(columns, found, "found.server, found.agent, found.answers DESC, found.site"),
};
