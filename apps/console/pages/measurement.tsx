/** @jsxImportSource hono/jsx */
/** One measurement: its progress, a picture of its results with a table, and the export. */

import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { isAway, orFailure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { addressWith, Tabs } from "../parts/links.tsx";
import { Share } from "../parts/share.tsx";
import { Export } from "./measurement/export.tsx";
import { Labels } from "./measurement/labels.tsx";
import { Packets } from "./measurement/packets.tsx";
import { type MeasurementStatus, Progress, statusAnswer } from "./measurement/progress.tsx";
import { shownViews } from "./measurement/shown-views.tsx";

const viewWords = Object.fromEntries(Object.entries(shownViews).map(([name, { word }]) => [name, word]));

/**
 * While it runs: often enough to be watched, with one store query at a time. Progress events trigger earlier refreshes,
 * except while the column store is unavailable, and for other readers than the user, whose requests are limited.
 */
const everySec = { own: 5, shared: 15 } as const;

export const measurementPage: ConsolePage = {
  path: "/console/measurements/:id",
  show: async (visit) => {
    const id = visit.param("id");
    const at = `/api/measurements/${encodeURIComponent(id)}`;
    const readStatus = () => visit.api.get(`${at}/status`, statusAnswer);
    const status = await readStatus();
    return {
      title: visible(status.title),
      body: (
        <>
          {visit.isAsked("labels") ? <Labels status={status} /> : null}
          {await Measurement({ visit, at, status, readStatus, isOwn: true })}
          {visit.isAsked("packets") ? await Packets({ visit, id: status.measurement_id }) : null}
          {status.measurement_complete ? <NextSteps id={status.measurement_id} /> : null}
          {visit.isAsked("share")
            ? await Share({ visit, id: status.measurement_id, of: "measurements" })
            : null}
        </>
      ),
    };
  },
};

interface Parts {
  readonly visit: Visit;
  /** Its path in the API; views are below it. */
  readonly at: string;
  readonly status: MeasurementStatus;
  readonly readStatus: () => Promise<MeasurementStatus>;
  /** False = for other readers: without the user's private parts. */
  readonly isOwn: boolean;
}

export async function Measurement(parts: Parts) {
  const { visit, isOwn, readStatus } = parts;
  const askEverySec = isOwn ? everySec.own : everySec.shared;
  const isRunning = !parts.status.measurement_complete;
  const results = visit.isAsked("view") ? await resultsOf(parts) : null;
  // Read after the results, so that the progress is not older than they are.
  const status = isRunning && results !== null ? await readStatus() : parts.status;
  const isAhead = results?.hasResults === true && isRunning && status.total_sent_probes === 0;
  return (
    <>
      <Progress status={status} nowMs={visit.nowMs} everySec={askEverySec} isOwn={isOwn} />
      <Filters visit={visit} />
      <Tabs
        label="Views"
        views={viewWords}
        current={viewNameOf(visit)}
        address={(view) => addressWith(visit, { view, open: null })}
      />
      <section
        id="view"
        aria-label="Results"
        {...(isRunning || results?.isAway ? { "data-every-s": String(askEverySec) } : {})}
      >
        {isAhead ? (
          <p>Results have arrived before the agents' reports, so the figures above are behind.</p>
        ) : null}
        {results?.body}
      </section>
    </>
  );
}

/** What people do with a result; sharing and export are on the page itself. */
function NextSteps({ id }: { readonly id: string }) {
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title">Next</h2>
      <ul>
        <li>
          <a href={`/console/campaigns?again=${id}`}>Repeat it</a> every few minutes, with alerts
        </li>
        <li>
          <a href={`/console?again=${id}`}>Measure it again</a>, or{" "}
          <a href={`/console?again=${id}&from=3%40any`}>from elsewhere</a>
        </li>
        <li>
          <a href="#share">Share</a> or <a href="#export-title">export</a> it
        </li>
      </ul>
    </section>
  );
}

/** The progress is in the database: an unavailable column store affects only the results. */
async function resultsOf({ visit, at, status, isOwn }: Parts) {
  const name = viewNameOf(visit);
  const isOver = status.measurement_complete;
  const shown = await orFailure(shownViews[name].show({ visit, at, isOver }));
  const id = isOwn ? status.measurement_id : null;
  const body = (
    <>
      {isOwn && shown.failure === null && !isOver ? <Events id={status.measurement_id} /> : null}
      {shown.failure?.body ?? shown.value?.body}
      <Export visit={visit} at={at} id={id} name={name} context={shown.value?.asked ?? null} />
    </>
  );
  return { body, hasResults: shown.value?.hasResults ?? false, isAway: isAway(shown.failure) };
}

/** From the column store. */
function Events({ id }: { readonly id: string }) {
  return (
    <span
      id="events"
      data-live={`/console/call/api/measurements/${id}/events`}
      data-renews="progress"
      hidden
    />
  );
}

function Filters({ visit }: { readonly visit: Visit }) {
  const { query, url } = visit;
  return (
    <form class="row" method="get" action={url.pathname}>
      <input type="hidden" name="view" value={viewNameOf(visit)} />
      <Field label="Destination" name="destination" value={query.get("destination")} hint="or a prefix" />
      <Field label="Agent" name="agent" value={query.get("agent")} />
      <button type="submit">Show</button>
    </form>
  );
}

function viewNameOf({ query }: Pick<Visit, "query">): keyof typeof shownViews {
  const asked = query.get("view");
  return (Object.keys(shownViews) as (keyof typeof shownViews)[]).find((name) => name === asked) ?? "paths";
}
