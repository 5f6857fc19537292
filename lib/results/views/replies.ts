/** Replies, one by one, by time of capture: their columns come from the table of fields in lib/wire. */
import * as v from "valibot";
import { labelsInWords } from "../../paths/words.ts";
import type { ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import { timeLiteral } from "../../store/clickhouse/sql-literals.ts";
import type { Column, Format } from "../../terminal/rows-output.ts";
import { type ReplyField, replyFields, type WireForm } from "../../wire/reply-fields.ts";
import { answerKindSql } from "../answer-kind-sql.ts";
import { type KeyedRows, type KeyWindow, keyedPages } from "../key-windows.ts";
import { rowKey } from "../row-key.ts";
import { namesOf, rowColumns, type SqlColumn, schemaOf, selectOf } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const formOfWire: Readonly<Record<WireForm, forms.ValueForm>> = {
  ...{ u8: forms.u8, u16: forms.u16, u64: forms.time, text: forms.text },
  ...{ address: forms.address, labels: forms.labels },
};
/** Fields whose values are other than on the wire. */
const formOfField: Readonly<Record<string, forms.ValueForm>> = {
  probeProtocol: forms.protocol,
  rtt: forms.rttMs,
};

function columnOf({ name, column, json, form, meaning }: ReplyField): SqlColumn {
  return { name: json, from: `reply.${column}`, form: formOfField[name] ?? formOfWire[form], meaning };
}

const [time, agent, ...others] = replyFields.map(columnOf);

/** Columns of `measure.replies AS reply`. */
export const replyColumns: readonly SqlColumn[] = [
  ...(time === undefined ? [] : [time]),
  added("measurement_id", forms.text, "empty when it is not known"),
  ...(agent === undefined ? [] : [agent]),
  added("probe_agent", forms.text, "agent that sent the probe; empty when it is not known"),
  added("probe_instance", forms.count, "instance of probe_agent; 0 too when it is not known"),
  ...others,
  {
    name: "says",
    from: "reply",
    form: { sql: answerKindSql, schema: forms.text.schema },
    meaning: "the kind of answer, in words; empty for time exceeded",
  },
  added(
    "attribution",
    forms.attribution,
    "exact: it carries the measurement; by_time: it fits its probe alone",
  ),
];

function added(name: string, form: forms.ValueForm, meaning: string): SqlColumn {
  return { name, from: `reply.${name}`, form, meaning };
}

function keyedRows(filter: ReplyFilter): KeyedRows {
  const from = ({ after, until }: KeyWindow) => {
    const end = until === null ? "1" : `time_received_ns <= ${timeLiteral(until)}`;
    return repliesFrom(filter, { sql: `time_received_ns > ${timeLiteral(after)} AND ${end}`, params: {} });
  };
  return {
    key: "toUnixTimestamp64Nano(time_received_ns)",
    from,
    rows: (window, form) => {
      const { sql, params } = from(window);
      const order = `ORDER BY reply.time_received_ns, ${rowKey("reply")}`;
      return {
        sql: `SELECT ${selectOf(form === "brief" ? drawnColumns : replyColumns, form)} FROM ${sql} AS reply ${order}`,
        params,
      };
    },
    keyOf: forms.timeNs,
  };
}

/** The most important columns, for people. */
const shown: readonly Column<ReplyRow>[] = [
  { name: "time_received", head: "time (UTC)", value: ({ time_received }) => shortTime(time_received) },
  { name: "agent_id", head: "agent", value: ({ agent_id }) => agent_id },
  { name: "probe_dst_addr", head: "destination", value: ({ probe_dst_addr }) => probe_dst_addr },
  { name: "probe_protocol", head: "protocol", value: ({ probe_protocol }) => probe_protocol },
  { name: "probe_src_port", head: "src", align: "right", value: ({ probe_src_port }) => probe_src_port },
  { name: "probe_dst_port", head: "dst", align: "right", value: ({ probe_dst_port }) => probe_dst_port },
  { name: "probe_ttl", head: "ttl", align: "right", value: ({ probe_ttl }) => probe_ttl },
  { name: "reply_src_addr", head: "answer from", value: ({ reply_src_addr }) => reply_src_addr },
  { name: "rtt_ms", head: "rtt ms", align: "right", value: ({ rtt_ms }) => rtt_ms?.toFixed(1) ?? "" },
  { name: "says", head: "", value: notes },
];

/** `2026-01-31 12:00:00.123`. */
function shortTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 23)}`;
}

function notes(row: ReplyRow): string {
  const isOthers = row.probe_agent !== "" && row.probe_agent !== row.agent_id;
  const others = isOthers ? `probe of ${row.probe_agent}/${row.probe_instance}` : "";
  const stack = row.reply_mpls_labels.map(({ bottom_of_stack: bottomOfStack, ...entry }) => ({
    ...entry,
    bottomOfStack,
  }));
  return [others, labelsInWords(stack), row.says].filter((part) => part !== "").join("  ");
}

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
  readonly reply_mpls_labels: readonly forms.LabelJson[];
  readonly says: string;
}

const [isText, isNumber] = [isA("string"), isA("number")];

const drawn: Readonly<Record<keyof ReplyRow, (value: unknown) => boolean>> = {
  time_received: isText,
  ...{ measurement_id: isText, agent_id: isText, probe_agent: isText, probe_instance: isNumber },
  ...{ probe_dst_addr: isText, probe_protocol: isText, reply_src_addr: isText },
  ...{ probe_src_port: isNumber, probe_dst_port: isNumber, probe_ttl: isNumber },
  rtt_ms: (value) => value === null || isNumber(value),
  reply_mpls_labels: (value) =>
    Array.isArray(value) && (value.length === 0 || v.is(forms.labels.schema, value)),
  says: isText,
};
const drawnMembers = Object.entries(drawn);
const drawnColumns = replyColumns.filter(({ name }) => name in drawn);

function isA(type: "string" | "number") {
  return (value: unknown): boolean => typeof value === type;
}

/** By hand: a schema takes a third of the time of a table. */
function isReplyRow(value: unknown): value is ReplyRow {
  const row = value as Readonly<Record<string, unknown>> | null;
  return typeof row === "object" && row !== null && drawnMembers.every(([name, is]) => is(row[name]));
}

/** Output columns for rows that come one by one: all of them for programs. */
export function replyOutputColumns(format: Format): readonly Column<ReplyRow>[] {
  return format === "table" ? shown : rowColumns(replyColumns);
}

export const repliesView: View<ReplyRow> = {
  name: "replies",
  summary: "The replies of a measurement",
  description: "By time of capture; those that have come so far.",
  limitDefault: null,
  schema: schemaOf<ReplyRow>(replyColumns),
  csvNames: namesOf(replyColumns),
  hasColumns: true,
  pages: keyedPages(keyedRows),
  drawing: { isRow: isReplyRow, columns: shown },
};
