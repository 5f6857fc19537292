/** @jsxImportSource hono/jsx */
/** One measurement: how far it is, a picture of what came back with its table, and how to have the same elsewhere. */
import type { Child } from "hono/jsx";
import type { ConsolePage, Visit } from "../page.ts";
import { failureView } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { addressWith } from "../parts/links.tsx";
import { Export } from "./measurement/export.tsx";
import { type MeasurementStatus, Progress, statusAnswer } from "./measurement/progress.tsx";
import { shownViews } from "./measurement/shown-views.tsx";

/** While it runs: often enough to be watched, and one question of the store at a time. */
const viewEverySec = 5;

export const measurementPage: ConsolePage = {
  path: "/console/measurements/:id",
  show: async (visit) => {
    const id = visit.param("id");
    const status = await visit.api.get(`/api/measurements/${encodeURIComponent(id)}/status`, statusAnswer);
    return {
      title: `Measurement ${id.slice(0, 8)}`,
      body: <Measurement visit={visit} status={status} results={await resultsOf({ visit, status })} />,
    };
  },
};

interface Parts {
  readonly visit: Visit;
  readonly status: MeasurementStatus;
}

interface Results {
  readonly body: Child;
  readonly isThere: boolean;
}

function Measurement({ visit, status, results }: Parts & { readonly results: Results }) {
  const isRunning = !status.measurement_complete;
  return (
    <>
      <Progress status={status} nowMs={visit.nowMs} hasEvents={results.isThere} />
      <Filters visit={visit} />
      <nav aria-label="Views">
        <ul class="tabs">
          {Object.entries(shownViews).map(([name, { word }]) => (
            <li>
              <a
                href={addressWith(visit, { view: name, open: null })}
                aria-current={name === viewNameOf(visit) ? "page" : undefined}
              >
                {word}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section
        id="view"
        aria-label="Results"
        {...(isRunning ? { "data-every-s": String(viewEverySec) } : {})}
      >
        {results.body}
      </section>
    </>
  );
}

async function resultsOf({ visit, status }: Parts) {
  const name = viewNameOf(visit);
  // The progress is the database's: a column store that is away takes only the results from the page.
  const found = await shownViews[name].show(visit, status.measurement_id).then(
    (body) => ({ body, isThere: true }),
    (error: unknown) => ({ body: failureView(error).body, isThere: false }),
  );
  const body = (
    <>
      {found.body}
      <Export visit={visit} id={status.measurement_id} name={name} />
    </>
  );
  return { body, isThere: found.isThere };
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
