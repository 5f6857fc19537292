/** Replies, one by one, by time of capture: their columns come from the table of fields in lib/wire. */
import * as v from "valibot";
import { contextEntries } from "../../enrich/context-fields.ts";
import { labelsInWords } from "../../paths/words.ts";
import type { ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import { timeLiteral } from "../../store/clickhouse/sql-literals.ts";
import type { Column, Format } from "../../terminal/rows-output.ts";
import { type ReplyField, replyFields, type WireForm } from "../../wire/reply-fields.ts";
import { answerKindSql } from "../answer-kind-sql.ts";
import { contextKey, contextKeySql } from "../context-pages.ts";
import { type KeyedRows, type KeyWindow, keyedPages } from "../key-windows.ts";
import { rowKey } from "../row-key.ts";
import { entriesOf, namesOf, rowColumns, type SqlColumn, selectOf, tableOf } from "../sql-columns.ts";
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

/** The key of a reply: its day, and who answered. */
export const routerKey = contextKeySql("reply.time_received_ns", forms.address.sql("reply.reply_src_addr"));

function keyedRows(filter: ReplyFilter, isContextAsked: boolean): KeyedRows {
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
      const own = selectOf(form === "brief" ? shown : replyColumns, form);
      const select = isContextAsked ? `${own}, ${routerKey} AS ${contextKey}` : own;
      return { sql: `SELECT ${select} FROM ${sql} AS reply ${order}`, params };
    },
    keyOf: forms.timeNs,
  };
}

function column(name: string): SqlColumn {
  const found = replyColumns.find((one) => one.name === name);
  if (found === undefined) {
    throw new TypeError(`Replies have no column "${name}"`);
  }
  return found;
}

/** As text with all digits, from which reading goes on (key-windows.ts), and shown to a millisecond. */
const shortTime: forms.ValueForm = {
  ...forms.time,
  cell: (column) => `concat(toString(${column}), 'Z')`,
  text: (value) => String(value).slice(0, 23).replace("T", " "),
  drawn: { lettersMax: 23 },
};

/** Whose probe it answers, its labels and its kind, in words. */
const notes: forms.ValueForm = {
  ...{ sql: answerKindSql, schema: forms.text.schema },
  cell: (row) => {
    const others = `if(${row}.probe_agent IN ('', ${row}.agent_id), '',
      concat('probe of ', ${row}.probe_agent, '/', toString(${row}.probe_instance)))`;
    const entry = "concat(toString(entry.1), ' exp ', toString(entry.2), ' ttl ', toString(entry.4))";
    const entries = `arrayStringConcat(arrayMap(entry -> ${entry}, ${row}.reply_mpls_labels), ' | ')`;
    const labels = `if(empty(${row}.reply_mpls_labels), '', concat('MPLS ', ${entries}))`;
    return `arrayStringConcat(arrayFilter(part -> part != '', [${others}, ${labels}, ${answerKindSql(row)}]), '  ')`;
  },
  text: (_, row) => notesOf(row as ReplyRow),
};

/** The most important columns, for people. */
const shown: readonly SqlColumn[] = [
  { ...column("time_received"), head: "time (UTC)", form: shortTime },
  { ...column("agent_id"), head: "agent" },
  { ...column("probe_dst_addr"), head: "destination" },
  { ...column("probe_protocol"), head: "protocol" },
  { ...column("probe_src_port"), head: "src" },
  { ...column("probe_dst_port"), head: "dst" },
  { ...column("probe_ttl"), head: "ttl" },
  { ...column("reply_src_addr"), head: "answer from" },
  { ...column("rtt_ms"), head: "rtt ms" },
  { ...column("says"), head: "", form: notes },
];

function notesOf(row: ReplyRow): string {
  const isOthers = row.probe_agent !== "" && row.probe_agent !== row.agent_id;
  const others = isOthers ? `probe of ${row.probe_agent}/${row.probe_instance}` : "";
  const stack = row.reply_mpls_labels.map(({ bottom_of_stack: bottomOfStack, ...entry }) => ({
    ...entry,
    bottomOfStack,
  }));
  return [others, labelsInWords(stack), row.says].filter((part) => part !== "").join("  ");
}

/** The members of a row in JSON that are drawn. */
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

/** Output columns for rows that come one by one: all of them for programs. */
export function replyOutputColumns(format: Format): readonly Column<ReplyRow>[] {
  return rowColumns(format === "table" ? shown : replyColumns);
}

export const repliesView: View = {
  name: "replies",
  summary: "The replies of a measurement",
  description: "By time of capture; those that have come so far.",
  limitDefault: null,
  schema: v.object({ ...entriesOf(replyColumns), ...contextEntries }),
  csvNames: namesOf(replyColumns),
  hasColumns: true,
  hasContext: true,
  pages: keyedPages(keyedRows),
  pen: tableOf(shown),
};
