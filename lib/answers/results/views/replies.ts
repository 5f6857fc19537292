/** Replies, one by one, by time of capture: their columns are defined by the table of fields in lib/net/wire. */
import * as v from "valibot";
import type { Column, Format } from "../../../base/terminal/rows-output.ts";
import { repliesFrom } from "../../../engines/store/clickhouse/reply-source.ts";
import { timeLiteral } from "../../../engines/store/clickhouse/sql-literals.ts";
import { labelsInWords } from "../../../measuring/paths/words.ts";
import { rttUnknownTenthMs } from "../../../net/packet/reply.ts";
import { type ReplyField, replyFields, type WireForm } from "../../../net/wire/reply-fields.ts";
import { addressFields, contextEntries } from "../../enrich/context-fields.ts";
import { answerKindSql } from "../answer-kind-sql.ts";
import { contextKey } from "../context-finders.ts";
import { contextKeySql } from "../context-pages.ts";
import { keyedPages } from "../key-windows.ts";
import { rowKey } from "../row-key.ts";
import { column, entriesOf, rowColumns, type SqlColumn, selectOf, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const formOfWire: Readonly<Record<WireForm, forms.ValueForm>> = {
  ...{ u8: forms.u8, u16: forms.u16, u32: forms.count, u64: forms.time, text: forms.text },
  ...{ address: forms.address, labels: forms.labels },
};
/** Fields whose values differ from those on the wire. */
const formOfField: Readonly<Record<string, forms.ValueForm>> = {
  probeProtocol: forms.protocol,
  rtt: forms.rttMs,
  rttUs: forms.rttUs,
  // Missing in a gateway of version 0.1.0.
  replyQuotedTrafficClass: { ...forms.u8, isOptional: true },
  replyNextHopMtu: { ...forms.u16, isOptional: true },
  replyQuotedFlowLabel: { ...forms.count, isOptional: true },
  replySite: { ...forms.text, isOptional: true },
  replyRewritten: { ...forms.u8, isOptional: true },
  replyQuotedSrcPort: { ...forms.u16, isOptional: true },
  replyChecksumDelta: { ...forms.u16, isOptional: true },
  replyQuotedSrcAddr: { ...forms.address, isOptional: true },
};

function columnOf({ name, column, json, form, meaning }: ReplyField): SqlColumn {
  return { name: json, from: `reply.${column}`, form: formOfField[name] ?? formOfWire[form], meaning };
}

const fields = replyFields.map(columnOf);
/** Those of version 0.1.0. */
const firstFields = 21;
const says: forms.ValueForm = { sql: answerKindSql, schema: forms.text.schema };

/** Columns of `measure.replies AS reply`. */
export const replyColumns: readonly SqlColumn[] = [
  ...fields.slice(0, 1),
  added("measurement_id", forms.text, "empty if unknown"),
  ...fields.slice(1, 2),
  added("probe_agent", forms.text, "agent that sent the probe; empty if unknown"),
  added("probe_instance", forms.count, "instance of probe_agent; also 0 if unknown"),
  ...fields.slice(2, firstFields),
  column("says", "reply", says, { meaning: "the kind of reply, in words; empty for time exceeded" }),
  added(
    "attribution",
    forms.attribution,
    "exact: it carries the measurement; by_time: it fits its probe alone",
  ),
  // Behind the columns of version 0.1.0.
  ...fields.slice(firstFields),
];

function added(name: string, form: forms.ValueForm, meaning: string): SqlColumn {
  return column(name, `reply.${name}`, form, { meaning });
}

/** A reply's key: its day, and its source. */
export const routerKey = contextKeySql("reply.time_received_ns", forms.address.sql("reply.reply_src_addr"));

const pages = keyedPages({
  ...{ key: "time_received_ns", keyNumber: "toUnixTimestamp64Nano(time_received_ns)" },
  ...{ literal: timeLiteral, keyOf: forms.timeNs },
  from: (filter, sql) => repliesFrom(filter, { sql, params: {} }),
  rows: ({ sql, params }, form, _, join) => {
    const own = selectOf(form === "brief" ? shown : replyColumns, form);
    const order = `reply.time_received_ns, ${rowKey("reply")}`;
    const select = `SELECT ${own}${join === null ? "" : `, ${join.select}`}`;
    return { sql: `${select} FROM ${sql} AS reply ${join?.from ?? ""} ORDER BY ${order}`, params };
  },
  contextKey: {
    of: routerKey,
    all: ({ sql, params }) => ({
      sql: `SELECT DISTINCT ${routerKey} AS ${contextKey} FROM ${sql} AS reply`,
      params,
    }),
  },
});

/** As text with all digits, from which reading resumes (key-windows.ts), and shown to a millisecond. */
const shortTime: forms.ValueForm = {
  ...forms.time,
  cell: (column) => `concat(toString(${column}), 'Z')`,
  text: (value) => String(value).slice(0, 23).replace("T", " "),
  drawn: { lettersMax: 23 },
};

/** The reply's probe, labels and kind, in words. */
const notes: forms.ValueForm = {
  ...says,
  cell: (row) => {
    const others = `if(${row}.probe_agent = '' OR ${row}.probe_agent = ${row}.agent_id, '',
      concat('probe of ', ${row}.probe_agent, '/', toString(${row}.probe_instance)))`;
    const entry = "concat(toString(entry.1), ' exp ', toString(entry.2), ' ttl ', toString(entry.4))";
    const entries = `arrayStringConcat(arrayMap(entry -> ${entry}, ${row}.reply_mpls_labels), ' | ')`;
    const labels = `if(empty(${row}.reply_mpls_labels), '', concat('MPLS ', ${entries}))`;
    return `arrayStringConcat(arrayFilter(part -> part != '', [${others}, ${labels}, ${answerKindSql(row)}]), '  ')`;
  },
  text: (_, row) => notesOf(row as ReplyRow),
};

/** As finely as it is known. */
const rttCell: forms.ValueForm = {
  ...forms.rttMs,
  cell: (row) => `multiIf(${row}.rtt = ${rttUnknownTenthMs}, '', ${row}.rtt_us = 0,
    printf('%.1f', ${row}.rtt / 10), printf('%.3f', ${row}.rtt_us / 1000))`,
  text: (value, row) => {
    const { rtt_us: us } = row as ReplyRow;
    return typeof value !== "number" ? "" : us == null ? value.toFixed(1) : (us / 1000).toFixed(3);
  },
};

/** The most important columns, for people. */
const shown: readonly SqlColumn[] = [
  ...drawn("time_received", { head: "time (UTC)", form: shortTime }),
  ...drawn("agent_id", { head: "agent" }),
  ...drawn("probe_dst_addr", { head: "destination" }),
  ...drawn("probe_protocol", { head: "protocol" }),
  ...drawn("probe_src_port", { head: "src" }),
  ...drawn("probe_dst_port", { head: "dst" }),
  ...drawn("probe_ttl", { head: "ttl" }),
  ...drawn("reply_src_addr", { head: "answer from" }),
  ...drawn("rtt_ms", { head: "rtt ms", from: "reply", form: rttCell }),
  ...drawn("says", { head: "", form: notes }),
];

function drawn(
  name: string,
  own: Pick<SqlColumn, "head"> & Partial<Pick<SqlColumn, "form" | "from">>,
): SqlColumn[] {
  return replyColumns.filter((one) => one.name === name).map((one) => ({ ...one, ...own }));
}

function notesOf(row: ReplyRow): string {
  const isOthers = row.probe_agent !== "" && row.probe_agent !== row.agent_id;
  const others = isOthers ? `probe of ${row.probe_agent}/${row.probe_instance}` : "";
  const stack = row.reply_mpls_labels.map(({ bottom_of_stack: bottomOfStack, ...entry }) => ({
    ...entry,
    bottomOfStack,
  }));
  return [others, labelsInWords(stack), row.says].filter((part) => part !== "").join("  ");
}

const router = "reply_src_addr";
const placeOf = (columns: readonly SqlColumn[]) => columns.findIndex(({ name }) => name === router);

/** The members of a JSON row that are drawn. */
export interface ReplyRow {
  readonly time_received: string;
  readonly measurement_id: string;
  readonly agent_id: string;
  readonly probe_agent: string;
  readonly probe_instance: number;
  readonly probe_dst_addr: string;
  readonly probe_protocol: string;
  readonly probe_src_port: number;
  readonly probe_dst_port: number;
  readonly probe_ttl: number;
  readonly reply_src_addr: string;
  readonly rtt_ms: number | null;
  /** Absent in rows of earlier versions. */
  readonly rtt_us?: number | null;
  readonly reply_mpls_labels: readonly forms.LabelJson[];
  readonly says: string;
}

/** Output columns for rows that arrive one by one: all of them for programs. */
export function replyOutputColumns(format: Format): readonly Column<ReplyRow>[] {
  return rowColumns(format === "table" ? shown : replyColumns);
}

export const repliesView: View = {
  name: "replies",
  summary: "The replies of a measurement",
  description: "By time of capture; those received so far.",
  limitDefault: null,
  ...viewOfColumns(replyColumns, shown),
  schema: v.object({ ...entriesOf(replyColumns), ...contextEntries }),
  contextFields: addressFields,
  rowAddress: { member: router, cells: { csv: placeOf(replyColumns), brief: placeOf(shown) } },
  pages,
};
