/** Each trace, answer by answer: what other programs' formats are made of (lib/formats). */
import * as v from "valibot";
import { contextEntries } from "../../enrich/context-fields.ts";
import { isColumnForm, traceWriters } from "../../formats/forms.ts";
import type { ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import type { RowQuery } from "../../store/clickhouse/rows.ts";
import type { TargetWindow } from "../../store/clickhouse/target-windows.ts";
import { contextKey } from "../context-pages.ts";
import { pathsDefault, pathsDestinationsMax, tracedProbesMax } from "../limits.ts";
import { entriesOf, namesOf, type SqlColumn, selectOf, tableOf } from "../sql-columns.ts";
import { targetPages } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, View } from "../view.ts";
import { answerColumns, flowsQuery } from "./flow-cells.ts";

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

/** The day of the first answer, and the destination; without an answer the last set counts. */
const destinationKey = `concat(empty(trace.replies) ? '9999-12-31' : substring(trace.replies[1].time_received, 1, 10),
  ' ', ${forms.address.sql("trace.dst")})`;

/** Rows of a window of destinations. */
function rows(filter: ReplyFilter, window: TargetWindow, form: PageForm, isContextAsked: boolean): RowQuery {
  const isWhole = form === "ndjson" || isColumnForm(form);
  const { sql: traces, params } = flowsQuery(filter, window, isContextAsked && isWhole);
  const key = isContextAsked ? `, ${destinationKey} AS ${contextKey}` : "";
  const lists = isWhole ? ", trace.probes AS probes, trace.replies AS replies" : key;
  const select = selectOf(columns, form);
  const order = `trace.dst, trace.agent, trace.protocol, trace.srcPort, trace.dstPort, trace.measurement, trace.round`;
  return { sql: `SELECT ${select}${lists} FROM (${traces}) AS trace ORDER BY ${order}`, params };
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
    replies: v.array(v.object({ ...entriesOf(answerColumns), ...contextEntries })),
  }),
  csvNames: namesOf(columns),
  hasColumns: true,
  hasContext: true,
  writers: traceWriters,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax }),
  pen: tableOf(columns),
};
