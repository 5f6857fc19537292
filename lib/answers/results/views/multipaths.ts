/**
 * The multipaths: all flows of an agent to a destination as one graph of routers, for tools that map load
 * balancers.
 */
import * as v from "valibot";
import { csvLine } from "../../../base/terminal/rows-output.ts";
import { multipathWriters } from "../../../measuring/formats/forms.ts";
import { graphOf, type MultipathFlows } from "../../../measuring/formats/multipath.ts";
import { fewRows } from "../few-rows.ts";
import { pathsDefault, pathsDestinationsMax } from "../limits.ts";
import { column, entriesOf, selectOf, viewOfColumns } from "../sql-columns.ts";
import { targetPages, type WindowSources } from "../target-pages.ts";
import * as forms from "../value-forms.ts";
import type { Page, PageForm, View } from "../view.ts";
import { answerColumns, answersType, flowsSql, probesType, sendingColumns } from "./flow-cells.ts";

const columns = [
  column("measurement_id", "multipath.measurement", forms.text),
  column("agent", "multipath.agent", forms.text),
  column("address", "multipath.dst", forms.address),
  column("protocol", "multipath.protocol", forms.protocol),
  column("dst_port", "multipath.dstPort", forms.u16),
];
const shown = [
  ...columns,
  column("flow_count", "toUInt32(multipath.ports)", forms.count, { head: "flows" }),
  column("sent", "toUInt32(multipath.submits)", forms.count),
  column("answers", "toUInt32(multipath.hits)", forms.count),
];
/** The result computed from the flows. */
const graph = {
  nodes: v.pipe(v.array(forms.text.schema), v.description("addresses; the first is the probes' source")),
  links: v.array(
    v.object({
      from: v.pipe(forms.count.schema, v.description("index of nodes")),
      to: v.nullable(forms.count.schema),
      hops: v.pipe(forms.count.schema, v.description("1 where no silent router is between")),
      src_ports: v.pipe(v.array(forms.u16.schema), v.description("the flows over this link")),
    }),
  ),
};
const flows = v.array(
  v.object({
    ...{ src_port: forms.u16.schema, round: forms.count.schema },
    probes: v.array(v.object({ ttl: forms.u8.schema, sent: forms.count.schema })),
    replies: v.array(v.object(entriesOf(answerColumns))),
  }),
);
const csvNames = [...columns.map(({ name }) => name), "from", "to", "hops", "flows"] as const;

const key = "measurement, agent, dst, protocol, dstPort";
const flowType = `Tuple(src_port UInt16, round UInt32, probes ${probesType}, replies ${answersType})`;

function rows(sources: WindowSources, form: PageForm): string {
  // ClickHouse 24.8 names the members of a tuple of columns, and then casts by name; not for a tuple with a function.
  const all = `
    SELECT ${key}, uniqExact(srcPort) AS ports, sum(arraySum(probes.2)) AS submits, sum(length(replies)) AS hits,
      minIf(submittedAt, toUnixTimestamp64Milli(submittedAt) > 0) AS submittedAt, max(source) AS source,
      CAST(arraySort(one -> (one.1, one.2), groupArray((toUInt16(srcPort), round, probes, replies))),
        'Array(${flowType})') AS flows
    FROM (${flowsSql(sources)}) GROUP BY ${key}`;
  const order =
    "multipath.dst, multipath.agent, multipath.protocol, multipath.dstPort, multipath.measurement";
  const isBrief = form === "brief";
  const select = selectOf(
    isBrief ? shown : [...shown, ...sendingColumns("multipath")],
    isBrief ? form : "ndjson",
  );
  return `SELECT ${select}${isBrief ? "" : ", multipath.flows AS flows"} FROM (${all}) AS multipath ORDER BY ${order}`;
}

const utf8 = new TextEncoder();

function* madePages({ bytes }: Page, form: PageForm): Generator<Page, void, undefined> {
  for (const rows of fewRows<MultipathRow>(bytes)) {
    const texts = rows.flatMap((row) => textsOf(row, form));
    yield { bytes: utf8.encode(texts.map((text) => `${text}\n`).join("")), rows: rows.length };
  }
}

interface MultipathRow extends MultipathFlows {
  readonly flow_count: number;
  readonly sent: number;
  readonly answers: number;
}

function textsOf(row: MultipathRow, form: PageForm): string[] {
  const { nodes, links } = graphOf(row);
  const { flows: given, ...place } = row;
  const addresses = nodes.map(({ address }) => address);
  if (form === "csv") {
    const { measurement_id: measurement, agent, address, protocol, dst_port: port } = row;
    return links.map(({ from, to, hops, srcPorts }) => {
      const ends = [addresses[from] ?? "", to === null ? "" : (addresses[to] ?? "")];
      return csvLine(
        [measurement, agent, address, protocol, port, ...ends, hops, srcPorts.length].map(String),
      );
    });
  }
  const shown = links.map(({ from, to, hops, srcPorts }) => ({ from, to, hops, src_ports: srcPorts }));
  return [JSON.stringify({ ...place, nodes: addresses, links: shown, flows: given })];
}

export const multipathsView: View = {
  name: "multipaths",
  summary: "All flows of an agent to a destination as one graph: nodes and links",
  description: [
    "By destination, agent, protocol and port; as CSV a row for each link. What a flow sent beyond its end is not in",
    "the graph; a link without `to` ends in silence. As `warts` (tracelb) for the programs that read those.",
  ].join(" "),
  limitDefault: pathsDefault,
  ...viewOfColumns(shown),
  schema: v.object({ ...entriesOf([...shown, ...sendingColumns("multipath")]), ...graph, flows }),
  csvNames,
  hasColumns: false,
  contextFields: [],
  writers: multipathWriters,
  pages: targetPages({ rows, destinationsMax: pathsDestinationsMax, made: madePages, hasSources: true }),
};
