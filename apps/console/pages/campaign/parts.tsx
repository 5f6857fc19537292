/** @jsxImportSource hono/jsx */
/** The parts of a campaign's page: each makes one API request, and has a table, with a picture where useful. */
import type { Child } from "hono/jsx";
import * as v from "valibot";
import { alertAnswer, alertDeliveryAnswer } from "../../../../lib/base/api/alerts.ts";
import { campaignRunAnswer } from "../../../../lib/base/api/campaigns.ts";
import { runsPicture } from "../../../../lib/measuring/pictures/charts/runs-picture.ts";
import type { Visit } from "../../page.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark, runLooks } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { alertColumns, deliveryColumns } from "./alerts.tsx";
import { Changes } from "./changes.tsx";
import { Series } from "./series.tsx";
import { Trend } from "./trend.tsx";

interface CampaignPart {
  readonly word: string;
  readonly show: (visit: Visit, id: string) => Promise<Child>;
}

type Run = v.InferOutput<typeof campaignRunAnswer>;

export const campaignParts = {
  runs: { word: "Runs", show: Runs },
  series: { word: "Series", show: Series },
  trend: { word: "Trend", show: Trend },
  changes: { word: "Changes", show: Changes },
  alerts: { word: "Alerts", show: Alerts },
} as const satisfies Readonly<Record<string, CampaignPart>>;

async function Runs(visit: Visit, id: string) {
  const page = await visit.api.page(listPath(`/api/campaigns/${id}/runs`, visit), v.array(campaignRunAnswer));
  const { value: runs } = page;
  return (
    <>
      <PictureFrame picture={runsPicture(runs)} />
      <Table caption="Runs, the latest first" columns={runColumns} rows={runs} none="No run yet." />
      <Paging visit={visit} page={page} parameter="after" />
    </>
  );
}

const runColumns: readonly Column<Run>[] = [
  {
    head: "Run",
    isName: true,
    cell: ({ run, last_run: last }) => (last === run ? String(run) : `${run} to ${last}`),
  },
  { head: "State", cell: ({ state }) => <Mark look={runLooks[state]} word={state} /> },
  { head: "Planned", cell: ({ planned_at: at }) => <Time at={at} /> },
  { head: "Ended", cell: ({ ended_at: at }) => <Time at={at} /> },
  {
    head: "Reason",
    has: ({ reason }) => reason !== null,
    cell: ({ reason }) => <Foreign text={reason ?? "–"} />,
  },
  {
    head: "Measurements",
    cell: ({ measurements }) => (
      <>
        {measurements.map(({ measurement_id: id }) =>
          id === null ? null : (
            <>
              <a href={`/console/measurements/${id}`}>
                <code>{id.slice(0, 8)}</code>
              </a>{" "}
            </>
          ),
        )}
      </>
    ),
  },
];

async function Alerts(visit: Visit, id: string) {
  const path = `/api/campaigns/${id}`;
  const [alerts, deliveries] = await Promise.all([
    visit.api.page(listPath(`${path}/alerts`, visit), v.array(alertAnswer)),
    visit.api.page(listPath(`${path}/deliveries`, visit, [], "sent-"), v.array(alertDeliveryAnswer)),
  ]);
  return (
    <>
      <Table
        caption="Alerts of the campaign"
        columns={alertColumns(visit.nowMs)}
        rows={alerts.value}
        none="No alert was raised."
      />
      <Paging visit={visit} page={alerts} parameter="after" />
      <h2>Deliveries</h2>
      <Table
        caption="Deliveries of alerts"
        columns={deliveryColumns(visit.nowMs)}
        rows={deliveries.value}
        none="Nothing was sent. “Alerts to” under “Edit” says where alerts go."
      />
      <Paging visit={visit} page={deliveries} parameter="after" list="sent-" />
    </>
  );
}
