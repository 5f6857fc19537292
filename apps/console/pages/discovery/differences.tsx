/** @jsxImportSource hono/jsx */
/** The links of two measurements: new and missing ones drawn with their routers, and all as a table. */

import { linkPicture } from "../../../../lib/measuring/pictures/links/link-picture.ts";
import type {
  PicturedGraph,
  PicturedLink,
  PicturedNode,
} from "../../../../lib/measuring/pictures/links/pictured-graph.ts";
import type { Flow } from "../../../../lib/measuring/pictures/path/boxes.ts";
import { type ApiRow, columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { GraphFrame } from "../../parts/picture.tsx";
import { type LinksProps, linksPath, numbersOf } from "./graph.tsx";

const heads = {
  ...{ near_addr: "Near", far_addr: "Far", near_ttl: "TTL", state: "State", flows: "Flows" },
  ...{
    flows_before: "Flows before",
    destinations: "Destinations",
    destinations_before: "Destinations before",
  },
};

/** Requested rows: the file has all of them. */
const linksMax = 20_000;

export async function Differences(props: LinksProps) {
  const { visit, of } = props;
  const against = visit.query.get("against") ?? "";
  if (of === "campaigns") {
    return <p class="none">Two measurements are compared: choose one of them.</p>;
  }
  if (against === "") {
    return <p class="none">Enter a measurement above to compare this one with, such as an earlier one.</p>;
  }
  const path = linksPath(props, "links", { against, limit: String(linksMax) });
  const rows = await visit.api.get(path, rowsAnswer);
  const changed = rows.filter(({ state }) => state !== "both");
  const open = new Set(numbersOf(visit.query.get("open")));
  const graph = graphOf(changed);
  const draw = (flow: Flow) => linkPicture(graph, { open, flow, isInteractive: true });
  const counts = (["appeared", "gone", "both"] as const).map(
    (state) =>
      `${rows.filter((row) => row.state === state).length} ${state === "both" ? "are in both" : state}`,
  );
  return (
    <>
      <p>
        Of {rows.length} links {counts.join(", ")}. The picture has those that differ. What only one of the
        two measurements probed also appears as a difference.
      </p>
      {changed.length === 0 ? null : <GraphFrame draw={draw} />}
      <PagedTable
        visit={visit}
        caption="Links of both, those that differ first"
        columns={columnsOf(heads, visit)}
        rows={[...changed, ...rows.filter(({ state }) => state === "both")].map(inWords)}
        isCut={rows.length === linksMax}
        none="Neither has a link."
      />
      <p>
        Download:{" "}
        <a
          href={`/console/call${linksPath(props, "links", { against, format: "csv" })}`}
          download="links.csv"
        >
          links.csv
        </a>
      </p>
    </>
  );
}

function inWords(row: ApiRow): ApiRow {
  const silent = `no answer after ${row.silent_after}`;
  return { ...row, near_addr: row.near_addr ?? silent, far_addr: row.far_addr ?? silent };
}

function graphOf(rows: readonly ApiRow[]): PicturedGraph {
  const nodes = new Map<string, PicturedNode>();
  const add = (address: unknown, ttl: number, row: ApiRow, flows: number) => {
    const id = typeof address === "string" ? address : `silent ${ttl} after ${row.silent_after}`;
    const before = nodes.get(id);
    nodes.set(id, {
      ...{ id, address: typeof address === "string" ? address : null },
      ttl: Math.min(ttl, before?.ttl ?? ttl),
      flows: flows + (before?.flows ?? 0),
    });
    return id;
  };
  const links = rows.map((row): PicturedLink => {
    const ttl = Number(row.near_ttl);
    const flows = Number(row.flows) || Number(row.flows_before);
    const state = row.state as PicturedLink["state"];
    return {
      from: add(row.near_addr, ttl, row, flows),
      to: add(row.far_addr, ttl + 1, row, 0),
      ...(state === undefined ? { flows } : { flows, state }),
    };
  });
  return { nodes: [...nodes.values()], links, is_cut: false };
}
