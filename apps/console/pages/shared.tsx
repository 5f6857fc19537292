/** @jsxImportSource hono/jsx */
/**
 * Results that users share, for people without a login: by link, or public. Only the API without a login is called, so
 * that nothing else of the user can appear, and a revoked link opens nothing here either.
 */
import * as v from "valibot";
import {
  sharedCampaignAnswer,
  sharedItemAnswer,
  sharedMeasurementAnswer,
  sharedRunAnswer,
} from "../../../lib/base/api/sharing.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { ConsolePage, View, Visit } from "../page.ts";
import { FindForm, findFilters } from "../parts/find-form.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { listPath } from "../parts/list-path.ts";
import { Mark, phaseLooks } from "../parts/mark.tsx";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Terms } from "../parts/terms.tsx";
import { Time } from "../parts/time.tsx";
import { Measurement } from "./measurement.tsx";

type Item = v.InferOutput<typeof sharedItemAnswer>;
type Run = v.InferOutput<typeof sharedRunAnswer>;

/** `shared/LINK`, or `public`: below `/api` and below `/console` alike. */
type Way = string;

const wayOf = (visit: Visit): Way => `shared/${encodeURIComponent(visit.param("link"))}`;
const everybody: Way = "public";

/** Any object of a link. */
export const sharedPage: ConsolePage = {
  path: "/console/shared/:link",
  show: async (visit) => {
    const way = wayOf(visit);
    const { kind, id } = await visit.api.get(`/api/${way}`, sharedItemAnswer);
    return kind === "measurement"
      ? await shownMeasurement(visit, way, id)
      : await shownCampaign(visit, way, id);
  },
};

export const sharedMeasurementPage: ConsolePage = {
  path: "/console/shared/:link/measurements/:id",
  show: (visit) => shownMeasurement(visit, wayOf(visit), visit.param("id")),
};

export const publicMeasurementPage: ConsolePage = {
  path: "/console/public/measurements/:id",
  show: (visit) => shownMeasurement(visit, everybody, visit.param("id")),
};

export const publicCampaignPage: ConsolePage = {
  path: "/console/public/campaigns/:id",
  show: (visit) => shownCampaign(visit, everybody, visit.param("id")),
};

export const publicPage: ConsolePage = {
  path: "/console/public",
  show: async (visit) => {
    const page = await visit.api.page(listPath("/api/public", visit, findFilters), v.array(sharedItemAnswer));
    const { value: items } = page;
    return {
      title: "Public results",
      body: (
        <>
          <p>Results published by users of this gateway, newest first.</p>
          <FindForm visit={visit} action="/console/public" />
          <Table
            caption="Public results"
            columns={itemColumns}
            rows={items}
            none={visit.query.size > 0 ? "Nothing matches these filters." : "Nothing is public yet."}
          />
          <Paging visit={visit} page={page} parameter="after" />
        </>
      ),
    };
  },
};

async function shownMeasurement(visit: Visit, way: Way, id: string): Promise<View> {
  const at = `/api/${way}/measurements/${encodeURIComponent(id)}`;
  const readStatus = () => visit.api.get(at, sharedMeasurementAnswer);
  const status = await readStatus();
  return {
    title: visible(status.title),
    body: (
      <>
        <Shown way={way} of={status} />
        {await Measurement({ visit, at, status, readStatus, isOwn: false })}
      </>
    ),
  };
}

async function shownCampaign(visit: Visit, way: Way, id: string): Promise<View> {
  const at = `/api/${way}/campaigns/${encodeURIComponent(id)}`;
  const [campaign, page] = await Promise.all([
    visit.api.get(at, sharedCampaignAnswer),
    visit.api.page(listPath(`${at}/runs`, visit), v.array(sharedRunAnswer)),
  ]);
  return {
    title: "Campaign",
    body: (
      <>
        <Shown way={way} of={campaign} />
        <p>
          <Foreign text={campaign.name} /> <Mark look={phaseLooks[campaign.phase]} word={campaign.phase} />{" "}
          {`${campaign.done} runs done, ${campaign.not_done} not done`}
        </p>
        <Table caption="Runs" columns={runColumns(way)} rows={page.value} none="No run yet." />
        <Paging visit={visit} page={page} parameter="after" />
      </>
    ),
  };
}

/** Why the visitor may see it. */
function Shown({
  way,
  of,
}: {
  readonly way: Way;
  readonly of: Pick<Item, "public_at" | "licence" | "contact" | "citation">;
}) {
  return (
    <p class="soft">
      {way === everybody ? (
        <>
          Published by its user on <Time at={of.public_at} />.
        </>
      ) : (
        "Shared by link: anyone who has the link can see it."
      )}{" "}
      <Terms of={of} />
    </p>
  );
}

const itemColumns: readonly Column<Item>[] = [
  {
    head: "Results",
    isName: true,
    cell: ({ kind, id, title }) => (
      <a href={`/console/public/${kind}s/${id}`}>
        <Foreign text={kind === "measurement" ? title : `Campaign ${title}`} />
      </a>
    ),
  },
  {
    head: "Tags",
    has: ({ tags }) => tags.length > 0,
    cell: ({ tags }) => <Foreign text={tags.join(", ")} />,
  },
  { head: "Started", cell: ({ started_at: at }) => <Time at={at} /> },
  { head: "Public since", cell: ({ public_at: at }) => <Time at={at} /> },
  { head: "Terms", cell: (item) => <Terms of={item} /> },
];

function runColumns(way: Way): readonly Column<Run>[] {
  return [
    { head: "Run", isName: true, cell: ({ run }) => run },
    { head: "Planned", cell: ({ planned_at: at }) => <Time at={at} /> },
    { head: "State", cell: ({ state }) => state },
    {
      head: "Measurements",
      cell: ({ measurements }) =>
        measurements.map((id) => (
          <>
            <a href={`/console/${way}/measurements/${id}`}>{id.slice(0, 8)}</a>{" "}
          </>
        )),
    },
  ];
}
