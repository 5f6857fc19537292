/** Each trace, reply by reply: the basis of other programs' formats (lib/measuring/formats). */
import * as v from "valibot";
import { isColumnForm, traceWriters } from "../../../measuring/formats/forms.ts";
import { contextEntries, contextFields } from "../../enrich/context-fields.ts";
import { asPathSchema } from "../../enrich/path-context.ts";
import { contextKey } from "../context-finders.ts";
import { pathsDefault, pathsDestinationsMax, tracedProbesMax } from "../limits.ts";
import { column, entriesOf, selectOf, viewOfColumns } from "../sql-columns.ts";
import { targetPages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { PageForm, View } from "../view.ts";
import { answerColumns, flowsSql, sendingColumns } from "./flow-cells.ts";

const columns = [
  column("measurement_id", "trace.measurement", forms.text),
  column("agent", "trace.agent", forms.text),
  column("address", "trace.dst", forms.address),
  column("protocol", "trace.protocol", forms.protocol),
  column("src_port", "trace.srcPort", forms.u16),
  column("dst_port", "trace.dstPort", forms.u16),
  column("round", "toUInt32(trace.round)", forms.count, {
    meaning: `from 0: a round has at most ${tracedProbesMax} probes of one TTL, further ones are in the next`,
  }),
  column("sent", "toUInt32(arraySum(trace.probes.2))", forms.count),
  column("answers", "toUInt32(length(trace.replies))", forms.count),
];

/** Columns of whole rows, beside the lists. */
const wholeColumns = [
  ...sendingColumns("trace"),
  column("end_ttl", "nullIf(trace.endTtl, 0)", forms.nullable(forms.u8), {
    meaning: "TTL at which the flow ends, by the replies of all its rounds; null if none ends it",
  }),
];

/** The day of the first reply, and the destination; without a reply, the last set applies. */
const destinationKey = `concat(
  empty(trace.replies) ? '9999-12-31' : substring(tupleElement(trace.replies[1], 'time_received'), 1, 10),
  ' ', ${forms.address.sql("trace.dst")})`;

function rows({ isContextAsked, ...from }: WindowSources, form: PageForm): string {
  const isWhole = form === "ndjson" || isColumnForm(form);
  const traces = flowsSql({ ...from, isContextAsked: isContextAsked && isWhole });
  const key = isContextAsked ? `, ${destinationKey} AS ${contextKey}` : "";
  const whole = `, ${selectOf(wholeColumns, form)}, trace.probes AS probes, trace.replies AS replies`;
  const lists = isWhole ? whole : key;
  const order = `trace.dst, trace.agent, trace.protocol, trace.srcPort, trace.dstPort, trace.measurement, trace.round`;
  return `SELECT ${selectOf(columns, form)}${lists} FROM (${traces}) AS trace ORDER BY ${order}`;
}

export const tracesView: View = {
  name: "traces",
  summary: "The traces: by agent, flow and destination, answer by answer",
  description: [
    "By destination, agent, protocol and ports; as CSV without what follows `answers`. As `warts`, `atlas`,",
    "`iris` or `mtr` for the programs that read those.",
  ].join(" "),
  limitDefault: pathsDefault,
  ...viewOfColumns(columns),
  schema: v.object({
    ...entriesOf([...columns, ...wholeColumns]),
    probes: v.array(v.object({ ttl: forms.u8.schema, sent: forms.count.schema })),
    replies: v.array(v.object({ ...entriesOf(answerColumns), ...contextEntries })),
    as_paths: v.optional(v.array(asPathSchema)),
  }),
  contextFields,
  writers: traceWriters,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax, hasSources: true }),
};
