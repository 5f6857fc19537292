/** @jsxImportSource hono/jsx */
/** Path changes since the previous run: all changes, and the paths before and after one of them. */

import * as v from "valibot";
import { figureRowsDefault } from "../../../../lib/answers/results/limits.ts";
import { campaignRunAnswer } from "../../../../lib/base/api/campaigns.ts";
import { pathPicture } from "../../../../lib/measuring/pictures/path/path-picture.ts";
import type { PicturedPath } from "../../../../lib/measuring/pictures/path/picture-path.ts";
import type { Visit } from "../../page.ts";
import { type ApiRow, columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { addressWith } from "../../parts/links.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import type { Column } from "../../parts/table.tsx";

type Run = v.InferOutput<typeof campaignRunAnswer>;

/** Runs in which the previous one is searched, newest first. */
const runsAsked = 200;
const heads = {
  ...{ run: "Run", agent: "Agent", destination: "Destination", router: "Router", next_hop: "Next hop" },
  ...{ share_before_percent: "Share before %", share_percent: "Share %", flows_before: "Flows before" },
  ...{ flows: "Flows", measurement_id: "Measurement" },
} as const;

export async function Changes(visit: Visit, id: string) {
  const rows = await visit.api.get(`/api/campaigns/${id}/changes`, rowsAnswer);
  const chosen = rows.find((row) => isChosen(row, visit)) ?? rows.at(-1);
  const columns: Column<ApiRow>[] = [
    ...columnsOf(heads, visit),
    {
      head: "Paths",
      cell: ({ run, agent, destination }) => (
        <a
          href={addressWith(visit, {
            run: String(run),
            agent: String(agent),
            destination: String(destination),
          })}
          aria-label={`Paths before and after run ${run}, from ${agent} to ${destination}`}
        >
          before and after
        </a>
      ),
    },
  ];
  return (
    <>
      {chosen === undefined ? null : await BeforeAndAfter({ visit, id, change: chosen })}
      <PagedTable
        visit={visit}
        caption="Changes, as the API has them"
        columns={columns}
        rows={rows}
        isCut={rows.length === figureRowsDefault}
        none="No change yet: paths are compared with those of the run before, from the second run on."
      />
    </>
  );
}

function isChosen({ run, agent, destination }: ApiRow, { query }: Visit): boolean {
  const asked = ["run", "agent", "destination"].map((name) => query.get(name));
  return [run, agent, destination].every((value, i) => String(value) === asked[i]);
}

interface ChangeProps {
  readonly visit: Visit;
  readonly id: string;
  readonly change: ApiRow;
}

async function BeforeAndAfter({ visit, id, change }: ChangeProps) {
  const runs = await visit.api.get(
    `/api/campaigns/${id}/runs?limit=${runsAsked}`,
    v.array(campaignRunAnswer),
  );
  const agent = String(change.agent);
  // The latest run's changes come first.
  const earlier = runs.find((run) => run.run < Number(change.run) && measurementOf(run, agent) !== null);
  const before = earlier === undefined ? null : measurementOf(earlier, agent);
  return (
    <section aria-labelledby="change-title">
      <h2 id="change-title">{`From ${agent} to ${change.destination}, run ${change.run}`}</h2>
      <h3>Before</h3>
      {before === null ? (
        <p class="none">The run before is not among the latest ones.</p>
      ) : (
        await Paths({ visit, measurement: before, change, name: "Paths before" })
      )}
      <h3>After</h3>
      {await Paths({ visit, measurement: String(change.measurement_id), change, name: "Paths after" })}
    </section>
  );
}

/** The run's measurement in which an agent took part; null = unknown. */
function measurementOf({ measurements }: Run, agent: string): string | null {
  const known = measurements.filter(({ measurement_id: id }) => id !== null);
  const own = known.find(({ agents }) => agents.split(",").includes(agent));
  return (own ?? known[0])?.measurement_id ?? null;
}

interface PathsProps {
  readonly visit: Visit;
  readonly measurement: string;
  readonly change: ApiRow;
  readonly name: string;
}

async function Paths({ visit, measurement, change, name }: PathsProps) {
  const query = new URLSearchParams({
    agent: String(change.agent),
    destination: String(change.destination),
  });
  const rows = await visit.api.get(`/api/measurements/${measurement}/paths?${query}`, rowsAnswer);
  const { foldedTtls: _, nextHops: _n, ...picture } = pathPicture(rows as unknown as readonly PicturedPath[]);
  return <PictureFrame picture={picture} name={name} />;
}
