/** @jsxImportSource hono/jsx */
/** The graph: first its ASes, each expandable; or around one AS; and its links as a table. */
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import { aroundAs, asGraph } from "../../../../lib/measuring/pictures/links/as-graph.ts";
import { linkPicture } from "../../../../lib/measuring/pictures/links/link-picture.ts";
import type { PicturedGraph } from "../../../../lib/measuring/pictures/links/pictured-graph.ts";
import type { Flow } from "../../../../lib/measuring/pictures/path/boxes.ts";
import { withContext } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { type ApiRow, columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { addressWith } from "../../parts/links.tsx";
import { chosenOf, pathWith } from "../../parts/list-path.ts";
import { PagedTable } from "../../parts/paging.tsx";
import { GraphFrame } from "../../parts/picture.tsx";
import { chosenBy } from "../measurement/result-path.ts";

/** A page's request, and its object. */
export interface LinksProps {
  readonly visit: Visit;
  readonly id: string;
  /** A discovery is its own campaign. */
  readonly of: "measurements" | "campaigns";
}

/** `/api/measurements/ID/VIEW?agent=…`, with more parameters. */
export function linksPath(
  { visit, id, of }: LinksProps,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams([...chosenOf(visit, chosenBy), ...Object.entries(more)]);
  return pathWith(`/api/${of}/${encodeURIComponent(id)}/${view}`, asked);
}

const heads = {
  ...{ from: "Near", to: "Far", ttls: "TTL", flows: "Flows" },
  ...{ destinations: "Destinations", agents: "Agents", first_seen: "First seen (UTC)" },
};
const nothing: PicturedGraph = { nodes: [], links: [], is_cut: false };

export async function Graph(props: LinksProps) {
  const { visit } = props;
  const whole = await graphOf(props);
  const asn = numbersOf(visit.query.get("as"))[0];
  const around = asn === undefined ? whole : aroundAs(whole, asn);
  const opened = numbersOf(visit.query.get("opened"));
  const isWhole = asn !== undefined || visit.query.get("by") === "router";
  const graph = isWhole ? around : asGraph(around, new Set(opened));
  const open = numbersOf(visit.query.get("open"));
  const drawn = (flow: Flow) => linkPicture(graph, { open: new Set(open), flow, isInteractive: true });
  const right = drawn("right");
  const closed = graph.nodes
    .toSorted((a, b) => a.ttl - b.ttl)
    .flatMap((node) => (node.kind === "as" ? [node.asn ?? 0] : []));
  const links = around.links.map((link): ApiRow => ({ ...link })).sort(inOrder);
  return (
    <>
      <GraphFrame draw={(flow) => (flow === "right" ? right : drawn(flow))} />
      <Openers
        visit={visit}
        word="Open the routers of"
        name={(one) => `AS${one}`}
        parameter="opened"
        open={opened}
        all={closed}
      />
      {closed.length > 0 ? (
        <p>
          <a href={addressWith(visit, { by: "router", opened: null })}>Show all routers</a>
        </p>
      ) : null}
      <Openers
        visit={visit}
        word="Show all routers of TTL"
        name={String}
        parameter="open"
        open={open}
        all={right.foldedTtls}
      />
      <PagedTable
        visit={visit}
        caption="Links, as the API has them"
        columns={columnsOf(heads, visit)}
        rows={links.map(inWords)}
        isCut={whole.is_cut}
        none="No link yet: answers may be on their way."
      />
      <Files {...props} />
    </>
  );
}

/** In drawing order: from left to right. */
function inOrder(a: ApiRow, b: ApiRow): number {
  return Number(a.near_ttl) - Number(b.near_ttl) || Number(b.flows) - Number(a.flows);
}

function inWords(link: ApiRow): ApiRow {
  const { near_ttl: from, near_ttl_max: to, first_seen: seen } = link;
  return {
    ...link,
    ttls: from === to ? from : `${from} to ${to}`,
    ...(typeof seen === "string" ? { first_seen: timeInWords(seen) } : {}),
  };
}

function graphOf(props: LinksProps): Promise<PicturedGraph> {
  return withContext("asn", async (more) => {
    const [row] = await props.visit.api.get(linksPath(props, "graph", more), rowsAnswer);
    // The order of the API's schema.
    return (row as unknown as PicturedGraph | undefined) ?? nothing;
  });
}

export function numbersOf(text: string | null): number[] {
  return (text ?? "")
    .split(",")
    .filter((part) => /^\d{1,10}$/.test(part))
    .map(Number);
}

interface OpenersProps {
  readonly visit: Visit;
  readonly word: string;
  readonly name: (one: number) => string;
  readonly parameter: "open" | "opened";
  readonly open: readonly number[];
  readonly all: readonly number[];
}

/** The table has the rest. */
const openersMax = 50;

function Openers({ visit, word, name, parameter, open, all }: OpenersProps) {
  return all.length === 0 ? null : (
    <p>
      {word}{" "}
      {all.slice(0, openersMax).map((one) => (
        <>
          <a
            {...(parameter === "open" ? { "data-opens": String(one) } : {})}
            href={addressWith(visit, { [parameter]: [...open, one].join() })}
          >
            {name(one)}
          </a>{" "}
        </>
      ))}
    </p>
  );
}

function Files(props: LinksProps) {
  const files = [
    ...["links.csv", "links.ndjson", "nodes.csv", "nodes.ndjson"],
    ...["graph.json", "graph.dot", "graph.graphml", "graph.svg"],
  ];
  return (
    <p>
      Download:{" "}
      {files.map((file) => {
        const [view = "", format = ""] = file.split(".");
        const href = `/console/call${linksPath(props, view, { format })}`;
        return (
          <>
            <a href={href} download={file}>
              {file}
            </a>{" "}
          </>
        );
      })}
    </p>
  );
}
