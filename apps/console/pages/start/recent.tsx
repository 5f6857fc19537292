/** @jsxImportSource hono/jsx */
/** The visitor's latest measurements, below the form that makes them. */
import * as v from "valibot";
import { measurementAnswer } from "../../../../lib/base/api/measurements.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { Foreign } from "../../parts/foreign.tsx";
import { Mark, statusLooks } from "../../parts/mark.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age } from "../../parts/time.tsx";

type Measurement = v.InferOutput<typeof measurementAnswer>;

const shown = 5;
/** Seconds. */
const renewEvery = 5;

export async function Recent({ visit }: { readonly visit: Visit }) {
  const rows = await visit.api.get(`/api/measurements?limit=${shown}&fold=true`, v.array(measurementAnswer));
  return (
    <section aria-labelledby="recent-title">
      <h2 id="recent-title">Your latest measurements</h2>
      <div id="recent" data-every-s={renewEvery}>
        <Table
          caption="Measurements, the newest first"
          columns={columns(visit.nowMs)}
          rows={rows}
          none="None yet: trace a name above, such as example.org."
        />
      </div>
      {rows.length < shown ? null : (
        <p>
          <a href="/console/measurements">All of them</a>
        </p>
      )}
    </section>
  );
}

function columns(nowMs: number): Column<Measurement>[] {
  return [
    {
      head: "Measurement",
      isName: true,
      cell: ({ measurement_id: id, title }) => (
        <a href={`/console/measurements/${id}`} title={id}>
          <Foreign text={title} />
        </a>
      ),
    },
    { head: "State", cell: ({ status }) => <Mark look={statusLooks[status]} word={status} /> },
    {
      head: "Answers",
      isFigure: true,
      cell: ({ total_received_replies: replies, total_expected_probes: probes }) =>
        `${grouped(replies)} of ${grouped(probes)}`,
    },
    { head: "Started", cell: ({ started_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ];
}
