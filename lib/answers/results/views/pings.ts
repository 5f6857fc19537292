/** Each ping: the probes of one TTL that an agent sent to a destination, with or without a reply. */
import * as v from "valibot";
import { isEchoReplySql } from "../../../engines/store/clickhouse/echo-reply-sql.ts";
import { isColumnForm, pingWriters } from "../../../measuring/formats/forms.ts";
import { figureRowsDefault, pathsDestinationsMax, pingedProbesMax } from "../limits.ts";
import { column, entriesOf, selectOf, viewOfColumns } from "../sql-columns.ts";
import { targetPages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, View } from "../view.ts";
import { answerColumns, cellsSql, inRounds, sendingColumns } from "./flow-cells.ts";

const columns = [
  column("measurement_id", "ping.measurement", forms.text),
  column("agent", "ping.agent", forms.text),
  column("address", "ping.dst", forms.address),
  column("protocol", "ping.protocol", forms.protocol),
  column("src_port", "ping.firstPort", forms.u16, {
    meaning: "the lowest: a ping by TCP has one for each probe",
  }),
  column("dst_port", "ping.dstPort", forms.u16),
  column("ttl", "ping.pingTtl", forms.u8),
  column("round", "toUInt32(ping.round)", forms.count, {
    meaning: `from 0: a round has at most ${pingedProbesMax} probes, further ones are in the next`,
  }),
  column("sent", "toUInt32(ping.sentNow)", forms.count),
  column("answered", "toUInt32(least(ping.sentNow, ping.probesOfTarget))", forms.count, {
    meaning: "of them, those that the destination itself answered, from any of its addresses",
  }),
  column("duplicates", "toUInt32(length(ping.ofTarget) - ping.probesOfTarget)", forms.count, {
    meaning: "its further replies to a probe that it had already answered",
  }),
  column("answers", "toUInt32(length(ping.now))", forms.count, { meaning: "all, those of others too" }),
];

const key = "measurement, agent, dst, protocol, dstPort";
/** "Time exceeded" of ICMP and ICMPv6: a router reports that the TTL was too small. */
const exceeded = "(one.reply_protocol, one.reply_icmp_type) IN ((1, 11), (58, 3))";

function rows(sources: WindowSources, form: PageForm): string {
  const whole = `
    SELECT ${key}, min(srcPort) AS firstPort, any(cell.ttl) AS pingTtl, sum(cell.sent) AS submits,
      minIf(cell.since, cell.known > 0) AS submittedAt, max(cell.given) AS source,
      ${forms.address.sql("dst")} AS target, arraySort(groupArrayArray(cell.found)) AS heard, heard.1 AS all
    FROM (${cellsSql(sources)}) AS cell GROUP BY ${key}
    HAVING uniqExact(cell.ttl) = 1
      AND (arrayExists(one -> one.reply_src_addr = target OR ${isEchoReplySql("one.")}, all)
        OR NOT arrayExists(one -> ${exceeded}, all))`;
  const rounds = inRounds(whole, { sent: "submits", found: "heard", probesMax: pingedProbesMax });
  const pings = `SELECT *, arrayFilter(one ->
        tupleElement(one.1, 'reply_src_addr') = target OR ${isEchoReplySql("one.1.")}, kept) AS ofTarget,
      length(arrayDistinct(ofTarget.2)) AS probesOfTarget
    FROM (${rounds})`;
  const isWhole = form === "ndjson" || isColumnForm(form);
  const lists = isWhole ? `, ${selectOf(sendingColumns("ping"), form)}, ping.now AS replies` : "";
  const order = "ping.dst, ping.agent, ping.protocol, ping.dstPort, ping.measurement, ping.round";
  return `SELECT ${selectOf(columns, form)}${lists} FROM (${pings}) AS ping ORDER BY ${order}`;
}

export const pingsView: View = {
  name: "pings",
  summary: "The pings: probes of one TTL to a destination, answer by answer",
  description: [
    "By destination, agent, protocol and port: where all probes had one TTL, and the destination answered or nothing",
    "reported that the TTL was too small. As CSV without what follows `answers`; as `warts` or `atlas` for the",
    "programs that read those.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(columns),
  schema: v.object({
    ...entriesOf([...columns, ...sendingColumns("ping")]),
    replies: v.array(v.object(entriesOf(answerColumns))),
  }),
  writers: pingWriters,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax, hasSources: true }),
};
