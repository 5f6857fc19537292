/** @jsxImportSource hono/jsx */
/** The visitor's measurements: a table with filters, kept up to date while one of them runs. */
import * as v from "valibot";
import { measurementAnswer } from "../../../lib/base/api/measurements.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Empty } from "../parts/empty.tsx";
import { examplePath } from "../parts/examples.ts";
import { Choice, Field } from "../parts/field.tsx";
import { FindForm, findFilters } from "../parts/find-form.tsx";
import { addressWith } from "../parts/links.tsx";
import { chosenOf, pathWith } from "../parts/list-path.ts";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age } from "../parts/time.tsx";
import { type Measurement, startedColumn, stateColumn, titleColumn } from "./measurement/columns.tsx";
import { isOriginKnown, Origin, Tags } from "./measurement/labels.tsx";

/** The API's filters. */
const filters = [...findFilters, "status", "id", "campaign", "sort", "reverse", "cursor"] as const;

const states = {
  "": "any",
  "in-progress": "in progress",
  complete: "complete",
  cancelled: "cancelled",
  failed: "failed",
  expired: "expired",
} as const;

/** A running measurement changes by the second; a new one may be started elsewhere. */
const renewSec = { running: 2, idle: 20 } as const;

export const measurementsPage: ConsolePage = {
  path: "/console/measurements",
  navigation: { word: "Measurements", key: "m" },
  show: async (visit) => ({ title: "Measurements", body: await Measurements({ visit }) }),
};

async function Measurements({ visit }: { readonly visit: Visit }) {
  const query = chosenOf(visit, filters);
  // A campaign is one row, unless its runs are requested.
  const fold = query.has("campaign") ? {} : { fold: "true" };
  const path = pathWith(
    "/api/measurements",
    new URLSearchParams({ ...Object.fromEntries(query), ...fold, count: "true" }),
  );
  const page = await visit.api.page(path, v.array(measurementAnswer));
  const { value: rows } = page;
  const isRunning = rows.some(({ measurement_complete: isComplete }) => !isComplete);
  return (
    <>
      <Filters visit={visit} />
      <div id="measurements" data-every-s={isRunning ? renewSec.running : renewSec.idle}>
        <Table
          caption="Your measurements"
          columns={columns(visit)}
          rows={rows}
          none={query.size === 0 ? <NoneYet /> : "Nothing matches these filters."}
        />
        <Paging visit={visit} page={page} parameter="cursor" />
      </div>
    </>
  );
}

function NoneYet() {
  return (
    <Empty
      button={{ href: "/console", word: "Trace a name" }}
      command="vantage trace --from west example.org"
      example={examplePath()}
    >
      You have not measured yet. Every trace and ping of yours is listed here, with its paths, loss, times and
      files.
    </Empty>
  );
}

function Filters({ visit }: { readonly visit: Visit }) {
  const { query } = visit;
  return (
    <FindForm visit={visit} action="/console/measurements">
      <Choice label="State" name="status" value={query.get("status") ?? ""} options={states} />
      <Field label="Measurement ID" name="id" value={query.get("id")} hint="or its beginning" />
    </FindForm>
  );
}

function columns(visit: Visit): Column<Measurement>[] {
  return [
    titleColumn,
    stateColumn,
    {
      head: "Agents",
      isFigure: true,
      cell: ({ completed_agents: done, total_agents: all }) => `${grouped(done)} of ${grouped(all)}`,
    },
    { head: "Sent", isFigure: true, cell: (one) => <Sent measurement={one} /> },
    {
      head: "Answers",
      isFigure: true,
      cell: ({ total_received_replies: replies }) => grouped(replies),
    },
    {
      head: "Failed",
      isFigure: true,
      cell: ({ total_failed_probes: failed }) => grouped(failed),
    },
    { ...startedColumn(visit.nowMs), sort: sortOf(visit, "started") },
    {
      head: "Last update",
      sort: sortOf(visit, "updated"),
      cell: ({ last_updated: at }) => <Age at={at} nowMs={visit.nowMs} />,
    },
    { head: "Tags", has: ({ tags }) => tags.length > 0, cell: ({ tags }) => <Tags tags={tags} /> },
    { head: "Origin", has: ({ origin }) => isOriginKnown(origin), cell: (one) => <From measurement={one} /> },
  ];
}

/** A campaign's newest run links to all of them. */
function From({ measurement: { origin, folded_runs: runs } }: { readonly measurement: Measurement }) {
  return (
    <>
      <Origin origin={origin} />
      {runs === undefined || runs < 2 ? null : (
        <>
          {" "}
          <a href={`/console/measurements?campaign=${origin.campaign_id}`}>{`all ${grouped(runs)}`}</a>
        </>
      )}
    </>
  );
}

function Sent({ measurement }: { readonly measurement: Measurement }) {
  const { total_sent_probes: sent, total_expected_probes: expected } = measurement;
  return (
    <>
      {grouped(sent)} of {grouped(expected)}
      {measurement.measurement_complete ? null : (
        <progress value={sent} max={Math.max(expected, 1)} aria-label="Probes sent" />
      )}
    </>
  );
}

function sortOf(visit: Visit, column: "started" | "updated"): NonNullable<Column<Measurement>["sort"]> {
  const isCurrent = (visit.query.get("sort") || "updated") === column;
  const isReverse = visit.query.get("reverse") === "true";
  const href = addressWith(visit, { sort: column, reverse: isCurrent && !isReverse ? "true" : null });
  return { href, order: isCurrent ? (isReverse ? "ascending" : "descending") : "none" };
}
