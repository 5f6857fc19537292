/** The submitted probes of a measurement, one for each agent and source, in the order of the submission. */
import * as v from "valibot";
import type { Condition } from "../../../engines/store/clickhouse/condition.ts";
import { cellKey, probeKey, replyKey } from "../../../engines/store/clickhouse/probe-key.ts";
import { probeCondition, type ReplyFilter } from "../../../engines/store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../../engines/store/clickhouse/reply-source.ts";
import { keyedPages } from "../key-windows.ts";
import { column, selectOf, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const givenSource: forms.ValueForm = {
  ...forms.address,
  sql: (column) => `if(${column} = toIPv6('::'), NULL, ${forms.address.sql(column)})`,
  schema: v.nullable(forms.address.schema),
};

const columns = [
  column("probe_index", "probe.place", forms.count, { meaning: "place in the measurement, from 0" }),
  column("time_submitted", "probe.submitted", forms.time),
  column("agent_id", "probe.agent", forms.text, { meaning: "agent that is to send it" }),
  column("probe_src_addr", "probe.source", givenSource, { meaning: "null = the agent chooses" }),
  column("probe_dst_addr", "probe.dst", forms.address),
  column("probe_protocol", "probe.protocol", forms.protocol),
  column("probe_src_port", "probe.srcPort", forms.u16),
  column("probe_dst_port", "probe.givenPort", forms.u16),
  column("probe_ttl", "probe.ttl", forms.u8),
];
const answeredColumns = [
  ...columns,
  column("replies", "toUInt32(found.count)", forms.count, {
    meaning: "to the agent's probes of the same destination, ports and TTL",
  }),
];

function pagesOf(counts: boolean): View["pages"] {
  const shown = counts ? answeredColumns : columns;
  return keyedPages({
    ...{ key: "probe_index", keyNumber: "probe_index", literal: String, keyOf: BigInt },
    from: (filter, condition) => {
      const { sql, params } = probeCondition(filter);
      return { sql: `measure.probes WHERE ${sql} AND ${condition}`, params };
    },
    rows: (from, form, { filter }) => {
      const { sql, params } = counts ? withCounts(filter, from) : eachOnce(from);
      const order = "probe.place, probe.agent, probe.source";
      return { sql: `SELECT ${selectOf(shown, form)} FROM ${sql} ORDER BY ${order}`, params };
    },
  });
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
  const probes = eachOnce(from);
  // Only the destinations of the window.
  const targets = `probe_dst_addr IN (SELECT probe_dst_addr FROM ${from.sql})`;
  const own = repliesFrom(filter, { sql: targets, params: {} });
  const counts = `SELECT ${replyKey}, count() AS count FROM ${own.sql} GROUP BY ${cellKey}`;
  const same = cellKey.split(", ").map((name) => `probe.${name} = found.${name}`);
  return {
    sql: `${probes.sql} LEFT JOIN (${counts}) AS found ON ${same.join(" AND ")}`,
    params: { ...probes.params, ...own.params },
  };
}

export const probesView: View = {
  name: "probes",
  summary: "The submitted probes of a measurement, one for each agent and source",
  description: "In the order of the submission.",
  limitDefault: null,
  ...viewOfColumns(columns),
  pages: pagesOf(false),
};

/** With the number of replies to each. */
export const answeredProbesView: View = {
  ...probesView,
  ...viewOfColumns(answeredColumns),
  pages: pagesOf(true),
};
