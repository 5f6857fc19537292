/** Each ping: probes of one TTL that an agent sent to a destination, which answered, or did not. */
import * as v from "valibot";
import { isColumnForm, pingWriters } from "../../formats/forms.ts";
import type { ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import type { RowQuery } from "../../store/clickhouse/rows.ts";
import type { TargetWindow } from "../../store/clickhouse/target-windows.ts";
import { figureRowsDefault, pathsDestinationsMax, pingedProbesMax } from "../limits.ts";
import { entriesOf, namesOf, type SqlColumn, selectOf, tableOf } from "../sql-columns.ts";
import { targetPages } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, View } from "../view.ts";
import { answerColumns, cellsQuery } from "./flow-cells.ts";

const columns: readonly SqlColumn[] = [
  { name: "measurement_id", from: "ping.measurement", form: forms.text },
  { name: "agent", from: "ping.agent", form: forms.text },
  { name: "address", from: "ping.dst", form: forms.address },
  { name: "protocol", from: "ping.protocol", form: forms.protocol },
  {
    name: "src_port",
    from: "ping.firstPort",
    form: forms.u16,
    meaning: "the lowest: a ping by TCP has one for each probe",
  },
  { name: "dst_port", from: "ping.dstPort", form: forms.u16 },
  { name: "ttl", from: "ping.pingTtl", form: forms.u8 },
  {
    name: "round",
    from: "toUInt32(ping.round)",
    form: forms.count,
    meaning: `from 0: a round has at most ${pingedProbesMax} probes, further ones are in the next`,
  },
  { name: "sent", from: "toUInt32(ping.sentNow)", form: forms.count },
  {
    name: "answered",
    from: "toUInt32(arrayCount(one -> one.reply_src_addr = ping.target, ping.replies))",
    form: forms.count,
    meaning: "answers of the destination itself",
  },
  { name: "answers", from: "toUInt32(length(ping.replies))", form: forms.count },
];

const key = "measurement, agent, dst, protocol, dstPort";
/** ICMP's and ICMPv6's "time exceeded": a router says that the TTL was too small. */
const exceeded = "(one.reply_protocol, one.reply_icmp_type) IN ((1, 11), (58, 3))";

function rows(filter: ReplyFilter, window: TargetWindow, form: PageForm): RowQuery {
  const { sql: cells, params } = cellsQuery(filter, window);
  const whole = `
    SELECT ${key}, min(srcPort) AS firstPort, any(cell.ttl) AS pingTtl, sum(cell.sent) AS submits,
      ${forms.address.sql("dst")} AS target, arraySort(groupArrayArray(cell.found)) AS heard
    FROM (${cells}) AS cell GROUP BY ${key}
    HAVING uniqExact(cell.ttl) = 1
      AND (arrayExists(one -> one.reply_src_addr = target, heard) OR NOT arrayExists(one -> ${exceeded}, heard))`;
  const pings = `
    SELECT *, greatest(0, least(${pingedProbesMax}, toInt64(submits) - toInt64(${pingedProbesMax} * round))) AS sentNow,
      arraySlice(heard, ${pingedProbesMax} * round + 1, ${pingedProbesMax}) AS replies
    FROM (
      SELECT *, arrayJoin(range(toUInt32(rounds))) AS round
      FROM (
        SELECT *, intDiv(greatest(submits, length(heard)) + ${pingedProbesMax - 1}, ${pingedProbesMax}) AS rounds
        FROM (${whole})))`;
  const lists = form === "ndjson" || isColumnForm(form) ? ", ping.replies AS replies" : "";
  const order = "ping.dst, ping.agent, ping.protocol, ping.dstPort, ping.measurement, ping.round";
  return {
    sql: `SELECT ${selectOf(columns, form)}${lists} FROM (${pings}) AS ping ORDER BY ${order}`,
    params,
  };
}

export const pingsView: View = {
  name: "pings",
  summary: "The pings: probes of one TTL to a destination, answer by answer",
  description: [
    "By destination, agent, protocol and port: where all probes had one TTL, and the destination answered or nothing",
    "said that the TTL was too small. As CSV without the list of replies; as `warts` or `atlas` for the programs that",
    "read those.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  schema: v.object({ ...entriesOf(columns), replies: v.array(v.object(entriesOf(answerColumns))) }),
  csvNames: namesOf(columns),
  hasColumns: true,
  hasContext: false,
  writers: pingWriters,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax }),
  pen: tableOf(columns),
};
