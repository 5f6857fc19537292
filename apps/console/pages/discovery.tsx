/** @jsxImportSource hono/jsx */
/** A measurement's links: as a graph that expands by prefix and AS, over time, and compared with another. */
import * as v from "valibot";
import { discoveryDetailAnswer } from "../../../lib/base/api/discoveries.ts";
import { measurementAnswer } from "../../../lib/base/api/measurements.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { ConsolePage, View, Visit } from "../page.ts";
import { isAway, orFailure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { addressWith, Tabs } from "../parts/links.tsx";
import { chosenOf, pathWith } from "../parts/list-path.ts";
import { Mark, statusLooks } from "../parts/mark.tsx";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age } from "../parts/time.tsx";
import { Differences } from "./discovery/differences.tsx";
import { Discoveries, DiscoveryProgress } from "./discovery/discoveries.tsx";
import { DiscoveryForm } from "./discovery/discovery-form.tsx";
import { Graph, type LinksProps } from "./discovery/graph.tsx";
import { Growth } from "./discovery/growth.tsx";
import { statusAnswer } from "./measurement/progress.tsx";

type Measurement = v.InferOutput<typeof measurementAnswer>;

const views = { graph: "Graph", growth: "Links over answers", differences: "Differences" } as const;
const shown = { graph: Graph, growth: Growth, differences: Differences } as const;

/** While it runs: the store recomputes all links for each refresh. */
const renewSec = 10;
const listMax = 20;

export const discoveryPage: ConsolePage = {
  path: "/console/discovery",
  navigation: { word: "Discovery", key: "d" },
  show: async (visit) => {
    const [id, discovery] = ["of", "discovery"].map((name) => visit.query.get(name) ?? "");
    if (discovery !== undefined && discovery !== "") {
      return await ofDiscovery(visit, discovery);
    }
    return id === undefined || id === ""
      ? { title: "Discovery", body: await Choose({ visit }) }
      : await found(visit, id);
  },
};

async function Choose({ visit }: { readonly visit: Visit }) {
  const query = new URLSearchParams({
    limit: String(listMax),
    count: "true",
    ...Object.fromEntries(chosenOf(visit, ["cursor"])),
  });
  const page = await visit.api.page(pathWith("/api/measurements", query), v.array(measurementAnswer));
  return (
    <>
      <p>
        Which routers follow each other: found by a discovery, or by the flows of one of your measurements.
      </p>
      <DiscoveryForm visit={visit} isOpen={visit.query.has("to")} />
      {await Discoveries({ visit })}
      <h2>Links of a measurement</h2>
      <Filters visit={visit} />
      <Table
        caption="Your measurements, the newest first"
        columns={columns(visit.nowMs)}
        rows={page.value}
        none="You have not measured yet."
      />
      <Paging visit={visit} page={page} parameter="cursor" />
    </>
  );
}

function columns(nowMs: number): Column<Measurement>[] {
  return [
    {
      head: "Measurement",
      isName: true,
      cell: ({ measurement_id: id, title }) => (
        <a href={`/console/discovery?of=${id}`}>
          <Foreign text={title} />
        </a>
      ),
    },
    { head: "State", cell: ({ status }) => <Mark look={statusLooks[status]} word={status} /> },
    { head: "Sent", isFigure: true, cell: ({ total_sent_probes: count }) => grouped(count) },
    { head: "Answers", isFigure: true, cell: ({ total_received_replies: count }) => grouped(count) },
    { head: "Started", cell: ({ started_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ];
}

async function found(visit: Visit, id: string): Promise<View> {
  const status = await visit.api.get(`/api/measurements/${encodeURIComponent(id)}/status`, statusAnswer);
  const { title, total_sent_probes: sent, total_expected_probes: expected } = status;
  const isRunning = !status.measurement_complete;
  return {
    title: `Links of ${visible(title)}`,
    body: (
      <>
        <p>
          <a href={`/console/measurements/${encodeURIComponent(id)}`}>The measurement</a>{" "}
          <Mark look={statusLooks[status.status]} word={status.status} />{" "}
          {`${grouped(sent)} of ${grouped(expected)} probes sent.`}
        </p>
        {await Links({ visit, id, of: "measurements", isRunning })}
      </>
    ),
  };
}

async function ofDiscovery(visit: Visit, id: string): Promise<View> {
  const one = await visit.api.get(`/api/discoveries/${encodeURIComponent(id)}`, discoveryDetailAnswer);
  return {
    title: visible(one.name),
    body: (
      <>
        <DiscoveryProgress of={one} />
        {await Links({ visit, id, of: "campaigns", isRunning: one.state === "running" })}
      </>
    ),
  };
}

async function Links({ visit, id, of, isRunning }: LinksProps & { readonly isRunning: boolean }) {
  const name = viewOf(visit);
  const part = visit.isAsked("links") ? await orFailure(shown[name]({ visit, id, of })) : null;
  const renews = isRunning || isAway(part?.failure ?? null);
  return (
    <>
      <Filters visit={visit} />
      <Tabs
        label="Views"
        views={views}
        current={name}
        address={(view) => addressWith(visit, { view, open: null, opened: null })}
      />
      <section id="links" aria-label="Links" {...(renews ? { "data-every-s": String(renewSec) } : {})}>
        {part?.failure?.body ?? part?.value}
      </section>
    </>
  );
}

function Filters({ visit }: { readonly visit: Visit }) {
  const { query, url } = visit;
  const given = (name: string) => query.get(name);
  return (
    <form class="row" method="get" action={url.pathname}>
      <input type="hidden" name="view" value={viewOf(visit)} />
      {given("discovery") === null ? (
        <Field label="Measurement" name="of" value={given("of")} isRequired grows />
      ) : (
        <input type="hidden" name="discovery" value={given("discovery") ?? ""} />
      )}
      <Field label="Destinations" name="destination" value={given("destination")} hint="a prefix" />
      <Field label="Agent" name="agent" value={given("agent")} />
      <Field label="AS" name="as" value={given("as")} hint="64500" />
      <Field
        label="Compared with"
        name="against"
        value={given("against")}
        hint="an earlier measurement"
        grows
      />
      <button type="submit">Show</button>
    </form>
  );
}

function viewOf({ query }: Pick<Visit, "query">): keyof typeof views {
  const asked = query.get("view");
  return (Object.keys(views) as (keyof typeof views)[]).find((name) => name === asked) ?? "graph";
}
