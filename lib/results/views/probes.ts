/** The submitted probes of a measurement, one for each agent and source, in the order of the submission. */
import * as v from "valibot";
import { probeKey, replyKey } from "../../store/clickhouse/probe-key.ts";
import { probeCondition, type ReplyFilter } from "../../store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import { type RowQuery, rowsOf } from "../../store/clickhouse/rows.ts";
import { firstPageRows, pageRows } from "../limits.ts";
import { linesOf, namesOf, type SqlColumn, schemaOf, selectOf } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View, ViewText } from "../view.ts";

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

/** In JSON. */
export interface ProbeRow {
  readonly probe_index: number;
  readonly time_submitted: string;
  readonly agent_id: string;
  readonly probe_src_addr: string | null;
  readonly probe_dst_addr: string;
  readonly probe_protocol: string;
  readonly probe_src_port: number;
  readonly probe_dst_port: number;
  readonly probe_ttl: number;
  readonly replies?: number;
}

/** Indexes of a measurement that are asked for at a time: the first is below it, the last is not. */
interface Range {
  readonly first: number;
  readonly end: number;
}

function pageQuery(filter: ReplyFilter, { first, end }: Range, counts: boolean): RowQuery {
  const probes = probeCondition(filter);
  const range = `probe_index >= ${first} AND probe_index < ${end}`;
  const page = `
    SELECT ${probeKey}, probe_dst_port AS givenPort, probe_index AS place, time_submitted AS submitted,
      probe_src_addr AS source
    FROM measure.probes WHERE ${probes.sql} AND ${range}
    ORDER BY place, agent, source LIMIT 1 BY place, agent, source`;
  if (!counts) {
    return { sql: `FROM (${page}) AS probe`, params: probes.params };
  }
  // For the destinations of the page only.
  const targets = `SELECT probe_dst_addr FROM measure.probes WHERE ${probes.sql} AND ${range}`;
  const own = repliesFrom(filter, { sql: `probe_dst_addr IN (${targets})`, params: {} });
  return {
    sql: `FROM (${page}) AS probe LEFT JOIN (
        SELECT ${replyKey}, count() AS count FROM ${own.sql} GROUP BY agent, dst, protocol, srcPort, dstPort, ttl
      ) AS found
      ON probe.agent = found.agent AND probe.dst = found.dst AND probe.protocol = found.protocol
        AND probe.srcPort = found.srcPort AND probe.dstPort = found.dstPort AND probe.ttl = found.ttl`,
    params: { ...probes.params, ...own.params },
  };
}

/** The indexes behind the one that is passed, for so many rows; null when there are none. */
function rangeQuery(filter: ReplyFilter, first: number, rows: number): RowQuery {
  const { sql, params } = probeCondition(filter);
  return {
    sql: `SELECT toFloat64(max(at)) AS last FROM (
        SELECT probe_index AS at FROM measure.probes WHERE ${sql} AND probe_index >= ${first}
        ORDER BY at LIMIT ${rows}) HAVING count() > 0`,
    params,
  };
}

function pagesOf(counts: boolean): ViewText["pages"] {
  return async function* pages(ask, { filter, limit }, form) {
    let [first, rows, left] = [0, firstPageRows, limit ?? Number.POSITIVE_INFINITY];
    while (left > 0) {
      const query = rangeQuery(filter, first, Math.min(rows, left));
      const [found] = await ask((store) => Array.fromAsync(rowsOf<{ last: number }>(store, query)));
      if (found === undefined) {
        return;
      }
      const { sql, params } = pageQuery(filter, { first, end: found.last + 1 }, counts);
      const select = `SELECT ${selectOf(counts ? [...columns, replies] : columns, form)} ${sql}
        ORDER BY probe.place, probe.agent, probe.source ${limit === null ? "" : `LIMIT ${left}`}`;
      const page = await ask((store) => linesOf(store, { sql: select, params }, form));
      yield page;
      left -= page.rows;
      [first, rows] = [found.last + 1, pageRows];
    }
  };
}

export const probesView: View<ProbeRow> = {
  name: "probes",
  summary: "The submitted probes of a measurement, one for each agent and source",
  description: "In the order of the submission.",
  limitDefault: null,
  schema: schemaOf<ProbeRow>(columns),
  csvNames: namesOf(columns),
  pages: pagesOf(false),
  drawing: {
    columns: columns.map(({ name }) => ({
      name,
      head: name.replace("probe_", "").replaceAll("_", " "),
      value: (row: ProbeRow) => (row as unknown as Readonly<Record<string, unknown>>)[name],
    })),
  },
};

/** With the number of answers to each. */
export const answeredProbesView: View<ProbeRow> = {
  ...probesView,
  schema: schemaOf<ProbeRow>([...columns, replies]),
  csvNames: namesOf([...columns, replies]),
  pages: pagesOf(true),
};
