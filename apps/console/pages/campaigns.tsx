/** @jsxImportSource hono/jsx */
/** The visitor's campaigns, and their alerts. */
import * as v from "valibot";
import { alertAnswer } from "../../../lib/base/api/alerts.ts";
import { campaignAnswer } from "../../../lib/base/api/campaigns.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Empty } from "../parts/empty.tsx";
import { exampleSeries } from "../parts/examples.ts";
import { Foreign } from "../parts/foreign.tsx";
import { listPath } from "../parts/list-path.ts";
import { Mark, phaseLooks } from "../parts/mark.tsx";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age, Time } from "../parts/time.tsx";
import { alertColumns } from "./campaign/alerts.tsx";
import { CampaignForm } from "./campaign/campaign-form.tsx";

type Campaign = v.InferOutput<typeof campaignAnswer>;

const renewSec = 15;

export const campaignsPage: ConsolePage = {
  path: "/console/campaigns",
  navigation: { word: "Campaigns", key: "c" },
  show: async (visit) => ({ title: "Campaigns", body: await Campaigns({ visit }) }),
};

async function Campaigns({ visit }: { readonly visit: Visit }) {
  const isFormAsked = visit.query.has("again") || visit.query.has("to");
  const [page, raised] = await Promise.all([
    visit.api.page(listPath("/api/campaigns", visit), v.array(campaignAnswer)),
    visit.api.page(listPath("/api/alerts?active=true", visit, [], "alerts-"), v.array(alertAnswer)),
  ]);
  return (
    <>
      {visit.isAsked("new-campaign")
        ? await CampaignForm({ visit, isOpen: isFormAsked || page.value.length === 0 })
        : null}
      <div id="campaigns" data-every-s={renewSec}>
        <h2>Your campaigns</h2>
        <Table caption="Your campaigns" columns={columns(visit.nowMs)} rows={page.value} none={<NoneYet />} />
        <Paging visit={visit} page={page} parameter="after" />
        <section aria-labelledby="alerts-title">
          <h2 id="alerts-title">Raised alerts</h2>
          <Table
            caption="Alerts that are raised"
            columns={alertColumns(visit.nowMs)}
            rows={raised.value}
            none="Nothing is raised."
          />
          <Paging visit={visit} page={raised} parameter="after" list="alerts-" />
        </section>
      </div>
    </>
  );
}

function NoneYet() {
  return (
    <Empty
      button={{ href: "/console/campaigns?to=example.org", word: "Create a campaign" }}
      command="vantage campaign create FILE"
      example={exampleSeries()}
    >
      A campaign measures the same again and again, draws what changes, and raises alerts. You have none; a
      finished measurement offers “Repeat it”, too.
    </Empty>
  );
}

function columns(nowMs: number): Column<Campaign>[] {
  return [
    {
      head: "Campaign",
      isName: true,
      cell: ({ id, name }) => (
        <a href={`/console/campaigns/${id}`}>
          <Foreign text={name} />
        </a>
      ),
    },
    { head: "State", cell: ({ phase }) => <Mark look={phaseLooks[phase]} word={phase} /> },
    { head: "Next run", cell: ({ next_at: at }) => <Time at={at} /> },
    { head: "Runs done", isFigure: true, cell: ({ done }) => grouped(done) },
    { head: "Runs missed", isFigure: true, cell: ({ not_done: count }) => grouped(count) },
    { head: "Probes a day", isFigure: true, cell: ({ probes_per_day: count }) => grouped(count) },
    { head: "Created", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ];
}
