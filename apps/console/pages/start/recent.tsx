/** @jsxImportSource hono/jsx */
/** The visitor's latest measurements, below the form that makes them. */
import * as v from "valibot";
import { measurementAnswer } from "../../../../lib/base/api/measurements.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { counted, ShownOf } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type Measurement, startedColumn, stateColumn, titleColumn } from "../measurement/columns.tsx";

const shown = 5;
/** Seconds. */
const renewEvery = 5;

export async function Recent({ visit }: { readonly visit: Visit }) {
  const path = `/api/measurements?limit=${shown}&fold=true&count=true`;
  const { value: rows, total } = await visit.api.page(path, v.array(measurementAnswer));
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
        {rows.length === 0 ? null : (
          <p>
            <ShownOf shown={rows.length} {...counted(total ?? rows.length)} />{" "}
            <a href="/console/measurements">All of them</a>
          </p>
        )}
      </div>
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
