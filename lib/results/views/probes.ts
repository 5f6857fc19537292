/** The submitted probes of a measurement, one for each agent and source, in the order of the submission. */
import * as v from "valibot";
import type { Condition } from "../../store/clickhouse/condition.ts";
import { probeKey, replyKey } from "../../store/clickhouse/probe-key.ts";
import { probeCondition, type ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import { type KeyedRows, type KeyWindow, keyedPages } from "../key-windows.ts";
import { namesOf, type SqlColumn, schemaOf, selectOf, tableOf } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const givenSource: forms.ValueForm = {
  ...forms.address,
  sql: (column) => `if(${column} = toIPv6('::'), NULL, ${forms.address.sql(column)})`,
  schema: v.nullable(forms.address.schema),
};

const columns: readonly SqlColumn[] = [
  {
    name: "probe_index",
    from: "probe.place",
    form: forms.count,
    meaning: "place in the measurement, from 0",
  },
  { name: "time_submitted", from: "probe.submitted", form: forms.time },
  { name: "agent_id", from: "probe.agent", form: forms.text, meaning: "agent that is to send it" },
  { name: "probe_src_addr", from: "probe.source", form: givenSource, meaning: "null leaves it to the agent" },
  { name: "probe_dst_addr", from: "probe.dst", form: forms.address },
  { name: "probe_protocol", from: "probe.protocol", form: forms.protocol },
  { name: "probe_src_port", from: "probe.srcPort", form: forms.u16 },
  { name: "probe_dst_port", from: "probe.givenPort", form: forms.u16 },
  { name: "probe_ttl", from: "probe.ttl", form: forms.u8 },
];
const replies: SqlColumn = {
  ...{ name: "replies", from: "toUInt32(found.count)", form: forms.count },
  meaning: "to the agent's probes of the same destination, ports and TTL",
};

function keyedRows(filter: ReplyFilter, counts: boolean): KeyedRows {
  const probes = probeCondition(filter);
  const from = ({ after, until }: KeyWindow): Condition => {
    const end = until === null ? "1" : `probe_index <= ${until}`;
    return {
      sql: `measure.probes WHERE ${probes.sql} AND probe_index > ${after} AND ${end}`,
      params: probes.params,
    };
  };
  return {
    key: "probe_index",
    from,
    rows: (window, form) => {
      const { sql, params } = counts ? withCounts(filter, from(window)) : eachOnce(from(window));
      const select = selectOf(counts ? [...columns, replies] : columns, form);
      return { sql: `SELECT ${select} FROM ${sql} ORDER BY probe.place, probe.agent, probe.source`, params };
    },
    keyOf: BigInt,
  };
}

function eachOnce({ sql, params }: Condition): Condition {
  const select = `SELECT ${probeKey}, probe_dst_port AS givenPort, probe_index AS place, time_submitted AS submitted,
    probe_src_addr AS source`;
  return {
    sql: `(${select} FROM ${sql} ORDER BY place, agent, source LIMIT 1 BY place, agent, source) AS probe`,
    params,
  };
}

function withCounts(filter: ReplyFilter, from: Condition): Condition {
  const [probes, key] = [eachOnce(from), ["agent", "dst", "protocol", "srcPort", "dstPort", "ttl"]];
  // For the destinations of the window only.
  const targets = `probe_dst_addr IN (SELECT probe_dst_addr FROM ${from.sql})`;
  const own = repliesFrom(filter, { sql: targets, params: {} });
  const counts = `SELECT ${replyKey}, count() AS count FROM ${own.sql} GROUP BY ${key.join()}`;
  const same = key.map((name) => `probe.${name} = found.${name}`).join(" AND ");
  return {
    sql: `${probes.sql} LEFT JOIN (${counts}) AS found ON ${same}`,
    params: { ...probes.params, ...own.params },
  };
}

export const probesView: View = {
  name: "probes",
  summary: "The submitted probes of a measurement, one for each agent and source",
  description: "In the order of the submission.",
  limitDefault: null,
  schema: schemaOf(columns),
  csvNames: namesOf(columns),
  hasColumns: true,
  hasContext: false,
  pages: keyedPages((filter) => keyedRows(filter, false)),
  pen: tableOf(columns),
};

/** With the number of answers to each. */
export const answeredProbesView: View = {
  ...probesView,
  schema: schemaOf([...columns, replies]),
  csvNames: namesOf([...columns, replies]),
  pages: keyedPages((filter) => keyedRows(filter, true)),
  pen: tableOf([...columns, replies]),
};
