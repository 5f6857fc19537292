/** The links and nodes as one graph: for graph programs, and as a picture. */
import * as v from "valibot";
import { csvLine } from "../../../base/terminal/rows-output.ts";
import { type RowQuery, rowsOf } from "../../../engines/store/clickhouse/rows.ts";
import { linkPicture } from "../../../measuring/pictures/links/link-picture.ts";
import type { PicturedGraph } from "../../../measuring/pictures/links/pictured-graph.ts";
import { addressFields, contextEntries } from "../../enrich/context-fields.ts";
import { aliasHints } from "../alias-hints.ts";
import { aliasSeriesSql, type SeriesRow, seriesOf } from "../alias-series.ts";
import { graphWriters } from "../graph-writers.ts";
import { graphLinksMax, graphNodesMax } from "../limits.ts";
import { linkColumns, nodeColumns } from "../link-columns.ts";
import { linkSources, linksSql, nodesSql } from "../links-query.ts";
import { column, entriesOf, type SqlColumn, selectOf, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { AskStore, Page, PageForm, View, ViewQuery } from "../view.ts";
import { nodeKey } from "./nodes.ts";

/** The columns of a table. */
const counts = [
  column("node_count", "", forms.count, { head: "nodes" }),
  column("silent_count", "", forms.count, { head: "of these silent" }),
  column("link_count", "", forms.count, { head: "links" }),
  column("router_link_count", "", forms.count, {
    meaning: "between two responding routers, as a discovery counts its links",
    head: "of these between routers",
  }),
];
const isEnd = ({ name }: SqlColumn) => ["near_addr", "far_addr", "silent_after"].includes(name);
const csvNames = ["from", "to", "ttl", "flows", "destinations", "agents"] as const;

const graphSchema = v.object({
  ...entriesOf(counts),
  is_cut: v.pipe(
    v.boolean(),
    v.description(
      `there are more than ${graphNodesMax} nodes or ${graphLinksMax} links; only those with most flows are included`,
    ),
  ),
  nodes: v.array(
    v.object({
      id: v.pipe(v.string(), v.description("the address; of a silent hop its TTL, and the router before it")),
      ...entriesOf(nodeColumns),
      ...contextEntries,
    }),
  ),
  alias_hints: v.pipe(
    v.array(
      v.object({
        addresses: v.pipe(
          v.array(v.string()),
          v.description("that may belong to one router: a hint, not proof"),
        ),
        rests_on: v.array(v.picklist(["ip_id", "labels", "reply_ttl"])),
      }),
    ),
    v.description("common properties of the replies: docs/measure/results.md"),
  ),
  links: v.array(
    v.object({
      from: v.pipe(v.string(), v.description("id of a node")),
      to: v.string(),
      ...entriesOf(linkColumns.filter((one) => !isEnd(one))),
    }),
  ),
});

/** In the schema's form: the columns are the same. */
interface Graph extends Readonly<Record<string, unknown>> {
  readonly nodes: readonly object[];
  readonly links: readonly (Readonly<Record<string, unknown>> & {
    readonly from: string;
    readonly to: string;
  })[];
}

interface NodeRow extends Readonly<Record<string, unknown>> {
  readonly ttl: number;
  readonly address: string | null;
  readonly silent_after: string | null;
  readonly is_destination: boolean;
}

interface LinkRow extends Readonly<Record<string, unknown>> {
  readonly near_ttl: number;
  readonly near_addr: string | null;
  readonly far_addr: string | null;
  readonly silent_after: string | null;
}

/** `silent 4 after 192.0.2.1`. */
function silentId(ttl: number, after: string | null): string {
  return `silent ${ttl} after ${after ?? "?"}`;
}

async function graphOf(ask: AskStore, { filter, with: fields = [] }: ViewQuery): Promise<Graph | null> {
  const { params, ...from } = linkSources(filter);
  const sources = { ...from, params };
  const read = <Row>(query: RowQuery) => ask((store) => Array.fromAsync(rowsOf<Row>(store, query)));
  const own = [selectOf(nodeColumns, "ndjson"), ...(fields.length === 0 ? [] : [nodeKey])].join(", ");
  const nodeRows = await read<NodeRow>({
    sql: `SELECT ${own} FROM (${nodesSql(sources)}) AS found
      ORDER BY found.flows DESC, found.lowTtl, found.router, found.after LIMIT ${graphNodesMax + 1}`,
    params,
  });
  const linkRows = await read<LinkRow>({
    sql: `SELECT ${selectOf(linkColumns, "ndjson")} FROM (${linksSql(sources)}) AS found
      ORDER BY found.flows DESC, found.lowTtl, found.near, found.far, found.after LIMIT ${graphLinksMax + 1}`,
    params,
  });
  const nodes = nodeRows.slice(0, graphNodesMax).map((row) => ({
    id: row.address ?? silentId(row.ttl, row.silent_after),
    ...row,
  }));
  const ids = new Set(nodes.map(({ id }) => id));
  const links = linkRows
    .slice(0, graphLinksMax)
    .map(({ near_addr: near, far_addr: far, silent_after: after, ...row }) => ({
      from: near ?? silentId(row.near_ttl, after),
      to: far ?? silentId(row.near_ttl + 1, after),
      ...row,
    }))
    .filter(({ from, to }) => ids.has(from) && ids.has(to));
  const series = await read<SeriesRow>({ sql: aliasSeriesSql(sources), params });
  const graph: Graph = {
    node_count: nodes.length,
    silent_count: nodes.filter(({ address }) => address === null).length,
    link_count: links.length,
    router_link_count: betweenRouters(nodes, links),
    is_cut: nodeRows.length > graphNodesMax || linkRows.length > graphLinksMax,
    ...{ nodes, alias_hints: aliasHints(series.map(seriesOf)), links },
  };
  return nodes.length === 0 ? null : graph;
}

function betweenRouters(
  nodes: readonly (NodeRow & { readonly id: string })[],
  links: readonly { readonly from: string; readonly to: string }[],
): number {
  const found = nodes.filter(({ address, is_destination: isTarget }) => address !== null && !isTarget);
  const routers = new Set(found.map(({ id }) => id));
  return links.filter(({ from, to }) => routers.has(from) && routers.has(to)).length;
}

function textOf(graph: Graph, form: PageForm): string {
  switch (form) {
    case "csv":
      return graph.links
        .map(({ from, to, near_ttl: ttl, flows, destinations, agents }) =>
          csvLine([from, to, ttl, flows, destinations, agents].map(String)),
        )
        .map((line) => `${line}\n`)
        .join("");
    case "brief":
      return `${counts.map(({ name }) => String(graph[name])).join("\t")}\n`;
    default:
      return `${JSON.stringify(graph)}\n`;
  }
}

async function* pages(
  ask: AskStore,
  query: ViewQuery,
  form: PageForm,
): AsyncGenerator<Page, void, undefined> {
  const graph = await graphOf(ask, query);
  if (graph !== null) {
    yield { bytes: Buffer.from(textOf(graph, form)), rows: form === "csv" ? graph.links.length : 1 };
  }
}

export const graphView: View = {
  name: "graph",
  summary: "The links and nodes as one graph",
  description: [
    `One row; of more than ${graphNodesMax} nodes or ${graphLinksMax} links those of most flows. As CSV a row for each`,
    "link. As `dot`, `graphml` and `svg` for the programs that read those.",
  ].join(" "),
  limitDefault: null,
  ...viewOfColumns(counts),
  schema: graphSchema,
  csvNames,
  hasColumns: false,
  contextFields: addressFields,
  writers: graphWriters,
  pages,
  picture: ([graph]) =>
    linkPicture(graph === undefined ? { nodes: [], links: [], is_cut: false } : (graph as PicturedGraph)),
};
