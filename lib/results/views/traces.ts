/** Each trace, answer by answer: what other programs' formats are made of (lib/formats). */
import * as v from "valibot";
import { isColumnForm } from "../../formats/forms.ts";
import { probeKey, replyKey } from "../../store/clickhouse/probe-key.ts";
import { probeCondition, type ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import type { RowQuery } from "../../store/clickhouse/rows.ts";
import { inWindow, type TargetWindow } from "../../store/clickhouse/target-windows.ts";
import { pathsDefault, pathsDestinationsMax, tracedProbesMax } from "../limits.ts";
import { entriesOf, namesOf, type SqlColumn, selectOf, tableOf } from "../sql-columns.ts";
import { targetPages } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, View } from "../view.ts";
import { replyColumns } from "./replies.ts";

const columns: readonly SqlColumn[] = [
  { name: "measurement_id", from: "trace.measurement", form: forms.text },
  { name: "agent", from: "trace.agent", form: forms.text },
  { name: "address", from: "trace.dst", form: forms.address },
  { name: "protocol", from: "trace.protocol", form: forms.protocol },
  { name: "src_port", from: "trace.srcPort", form: forms.u16 },
  { name: "dst_port", from: "trace.dstPort", form: forms.u16 },
  {
    name: "round",
    from: "toUInt32(trace.round)",
    form: forms.count,
    meaning: `from 0: a round has at most ${tracedProbesMax} probes of one TTL, further ones are in the next`,
  },
  { name: "sent", from: "toUInt32(arraySum(trace.probes.2))", form: forms.count },
  { name: "answers", from: "toUInt32(length(trace.replies))", form: forms.count },
];

/** Members of an answer, as in the view of replies, with their types in the store. */
const members: Readonly<Record<string, string>> = {
  ...{ time_received: "String", agent_id: "String", probe_ttl: "UInt8", reply_src_addr: "String" },
  ...{ rtt_ms: "Nullable(Float64)", reply_ttl: "UInt8", reply_quoted_ttl: "UInt8", reply_size: "UInt16" },
  ...{ reply_id: "UInt16", reply_protocol: "UInt8", reply_icmp_type: "UInt8", reply_icmp_code: "UInt8" },
  reply_mpls_labels: "Array(Tuple(label UInt32, exp UInt8, bottom_of_stack Bool, ttl UInt8))",
  ...{ probe_src_addr: "String", probe_size: "UInt16" },
};
const memberColumns = Object.keys(members).flatMap((name) => replyColumns.filter((one) => one.name === name));
const answerType = `Tuple(${Object.entries(members)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ")})`;
const answer = `CAST((${memberColumns.map(({ from, form }) => form.sql(from)).join(", ")}), '${answerType}')`;

const trace = "measurement, agent, dst, protocol, srcPort, dstPort";

/** Rows of a window of destinations. */
function rows(filter: ReplyFilter, window: TargetWindow, form: PageForm): RowQuery {
  const own = { sql: inWindow(window), params: {} };
  const [replies, probes] = [repliesFrom(filter, own), probeCondition(filter)];
  const cells = `
    SELECT ${trace}, ttl, max(submitted) AS known, arraySort(groupArrayArray(answers)) AS found,
      (known = 0 ? length(found) : known) AS sent,
      intDiv(greatest(sent, length(found)) + ${tracedProbesMax - 1}, ${tracedProbesMax}) AS rounds,
      arrayJoin(range(toUInt32(rounds))) AS round
    FROM (
      SELECT measurement_id AS measurement, ${probeKey}, uniqExact(probe_src_addr, probe_index) AS submitted,
        CAST([], 'Array(${answerType})') AS answers
      FROM measure.probes WHERE ${probes.sql} AND ${own.sql} GROUP BY ${trace}, ttl
      UNION ALL
      SELECT measurement, agent, dst, protocol, srcPort, dstPort, ttl, 0, groupArray(one) FROM (
        SELECT reply.measurement_id AS measurement, ${replyKey}, ${answer} AS one FROM ${replies.sql} AS reply)
      GROUP BY ${trace}, ttl)
    GROUP BY ${trace}, ttl`;
  const first = `${tracedProbesMax} * round`;
  const traces = `
    SELECT ${trace}, round,
      arraySort(groupArrayIf((ttl, toUInt32(sentNow)), sentNow > 0)) AS counts,
      CAST(counts, 'Array(Tuple(ttl UInt8, sent UInt32))') AS probes,
      arraySort(one -> (one.probe_ttl, one.time_received), groupArrayArray(now)) AS replies
    FROM (
      SELECT *, greatest(0, least(${tracedProbesMax}, toInt64(sent) - toInt64(${first}))) AS sentNow,
        arraySlice(found, ${first} + 1, ${tracedProbesMax}) AS now
      FROM (${cells}))
    GROUP BY ${trace}, round`;
  const lists =
    form === "ndjson" || isColumnForm(form) ? ", trace.probes AS probes, trace.replies AS replies" : "";
  const select = selectOf(columns, form);
  const order = `trace.dst, trace.agent, trace.protocol, trace.srcPort, trace.dstPort, trace.measurement, trace.round`;
  return {
    sql: `SELECT ${select}${lists} FROM (${traces}) AS trace ORDER BY ${order}`,
    params: { ...replies.params, ...probes.params },
  };
}

export const tracesView: View = {
  name: "traces",
  summary: "The traces: by agent, flow and destination, answer by answer",
  description: [
    "By destination, agent, protocol and ports; as CSV without the lists of probes and replies. As `warts`, `atlas`,",
    "`iris` or `mtr` for the programs that read those.",
  ].join(" "),
  limitDefault: pathsDefault,
  schema: v.object({
    ...entriesOf(columns),
    probes: v.array(v.object({ ttl: forms.u8.schema, sent: forms.count.schema })),
    replies: v.array(v.object(entriesOf(memberColumns))),
  }),
  csvNames: namesOf(columns),
  hasColumns: true,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax }),
  pen: tableOf(columns),
};
