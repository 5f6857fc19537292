/**
 * The catchment of an anycast prefix: which site heard the answers to the probes of which site. Choose the prefix
 * with `source` of the filter, or a measurement that probed from it.
 */
import { repliesFrom } from "../../store/clickhouse/reply-source.ts";
import type { Column } from "../../terminal/rows-output.ts";
import { figureRowsDefault } from "../limits.ts";
import { linesOf, namesOf, type SqlColumn, schemaOf, selectOf } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const columns: readonly SqlColumn[] = [
  {
    name: "probe_agent",
    from: "found.probeAgent",
    form: forms.text,
    meaning: "site that sent; empty when not known",
  },
  { name: "probe_instance", from: "found.probeInstance", form: forms.count },
  { name: "heard_by", from: "found.heardBy", form: forms.text, meaning: "site that heard the answers" },
  { name: "replies", from: "toUInt32(found.answers)", form: forms.count },
  {
    name: "share_percent",
    from: "round(100 * found.answers / found.answersOfSender, 2)",
    form: forms.figure,
    meaning: "of all answers to the probes of this site and instance",
  },
  { name: "destinations", from: "toUInt32(found.targets)", form: forms.count, meaning: "that answered" },
  {
    name: "responders",
    from: "toUInt32(found.routers)",
    form: forms.count,
    meaning: "routers and hosts that answered",
  },
];

/** In JSON. */
export interface CatchmentRow {
  readonly probe_agent: string;
  readonly probe_instance: number;
  readonly heard_by: string;
  readonly replies: number;
  readonly share_percent: number;
  readonly destinations: number;
  readonly responders: number;
}

const site = "probeAgent, probeInstance, heardBy";
const key = "probe_agent AS probeAgent, probe_instance AS probeInstance, agent_id AS heardBy";

/** Addresses are grouped before they are counted: groups go to disk when they are many, sets of them cannot. */
function found(replies: string): string {
  return `SELECT ${site}, max(answers) AS answers, max(targets) AS targets, max(routers) AS routers,
      sum(max(answers)) OVER (PARTITION BY probeAgent, probeInstance) AS answersOfSender
    FROM (
      SELECT ${site}, sum(count) AS answers, count() AS targets, 0 AS routers
      FROM (SELECT ${key}, probe_dst_addr, count() AS count FROM ${replies} GROUP BY ${site}, probe_dst_addr)
      GROUP BY ${site}
      UNION ALL
      SELECT ${site}, 0 AS answers, 0 AS targets, count() AS routers
      FROM (SELECT ${key}, reply_src_addr FROM ${replies} GROUP BY ${site}, reply_src_addr)
      GROUP BY ${site})
    GROUP BY ${site}`;
}

export const catchmentView: View<CatchmentRow> = {
  name: "catchment",
  summary: "Which agent heard the answers to the probes of which",
  description: "By sending and hearing agent.",
  limitDefault: figureRowsDefault,
  schema: schemaOf<CatchmentRow>(columns),
  csvNames: namesOf(columns),
  pages: async function* pages(ask, { filter, limit }, form) {
    const { sql: replies, params } = repliesFrom(filter);
    const sql = `SELECT ${selectOf(columns, form)} FROM (${found(replies)}) AS found
      ORDER BY found.probeAgent, found.probeInstance, found.heardBy ${limit === null ? "" : `LIMIT ${limit}`}`;
    yield await ask((store) => linesOf(store, { sql, params }, form));
  },
  drawing: {
    columns: [
      shown("probes of", ({ probe_agent }) => probe_agent),
      { ...shown("instance", ({ probe_instance }) => probe_instance), align: "right" },
      shown("heard by", ({ heard_by }) => heard_by),
      { ...shown("replies", ({ replies }) => replies), align: "right" },
      { ...shown("share %", ({ share_percent }) => share_percent), align: "right" },
      { ...shown("destinations", ({ destinations }) => destinations), align: "right" },
      { ...shown("responders", ({ responders }) => responders), align: "right" },
    ],
  },
};

function shown(head: string, value: (row: CatchmentRow) => unknown): Column<CatchmentRow> {
  return { name: head, head, value };
}
