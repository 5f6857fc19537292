/** @jsxImportSource hono/jsx */
/** The visitor's experiments: announcements of a leased prefix, and probes from it. */
import * as v from "valibot";
import { experimentAnswer } from "../../../lib/base/api/experiments.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Empty } from "../parts/empty.tsx";
import { exampleRounds } from "../parts/examples.ts";
import { Foreign } from "../parts/foreign.tsx";
import { listPath } from "../parts/list-path.ts";
import { experimentLooks, Mark } from "../parts/mark.tsx";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age, Time } from "../parts/time.tsx";

type Experiment = v.InferOutput<typeof experimentAnswer>;

const renewSec = 15;

export const experimentsPage: ConsolePage = {
  path: "/console/experiments",
  navigation: { word: "Experiments", key: "e" },
  show: async (visit) => ({ title: "Experiments", body: await Experiments({ visit }) }),
};

async function Experiments({ visit }: { readonly visit: Visit }) {
  const page = await visit.api.page(listPath("/api/experiments", visit), v.array(experimentAnswer));
  return (
    <div id="experiments" data-every-s={renewSec}>
      <p class="soft">
        Start one: <code>vantage experiment run FILE</code>, or <code>vantage experiment aim FILE</code>.
        Import one that ran elsewhere: <code>vantage experiment import FOLDER</code>
      </p>
      <Table caption="Your experiments" columns={columns(visit.nowMs)} rows={page.value} none={<NoneYet />} />
      <Paging visit={visit} page={page} parameter="after" />
    </div>
  );
}

function NoneYet() {
  return (
    <Empty
      button={{ href: "/console/peering", word: "Lease a prefix" }}
      command="vantage peering prefix request 24"
      example={exampleRounds()}
    >
      You have no experiments. One announces a leased prefix in steps, probes from it, and shows which targets
      each site receives.
    </Empty>
  );
}

function columns(nowMs: number): Column<Experiment>[] {
  return [
    {
      head: "Experiment",
      isName: true,
      cell: ({ id, name }) => (
        <a href={`/console/experiments/${id}`}>
          <Foreign text={name} />
        </a>
      ),
    },
    { head: "State", cell: ({ state }) => <Mark look={experimentLooks[state]} word={state} /> },
    { head: "Reason", cell: ({ reason }) => <Foreign text={reason ?? "–"} /> },
    { head: "Prefix", cell: ({ prefix }) => <code>{prefix}</code> },
    { head: "Started", cell: ({ begun_at: at }) => <Time at={at} /> },
    { head: "Last update", cell: ({ heard_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Actions", isFigure: true, cell: ({ actions }) => grouped(actions) },
  ];
}
