/** @jsxImportSource hono/jsx */
/** The visitor's latest measurements, below the form that makes them. */
import * as v from "valibot";
import { measurementAnswer } from "../../../../lib/base/api/measurements.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { type Measurement, startedColumn, stateColumn, titleColumn } from "../measurement/columns.tsx";

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
    titleColumn,
    stateColumn,
    {
      head: "Answers",
      isFigure: true,
      cell: ({ total_received_replies: replies, total_expected_probes: probes }) =>
        `${grouped(replies)} of ${grouped(probes)}`,
    },
    startedColumn(nowMs),
  ];
}
